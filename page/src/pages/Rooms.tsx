// Open rooms: yours first, then those with a free seat, then those to watch.

import { countWords, GAMES } from "../logic/games.ts";
import { pathOf } from "../logic/route.ts";
import { listed } from "../logic/words.ts";
import { Asked } from "../parts/Asked.tsx";
import { Link } from "../parts/Link.tsx";
import { Notice } from "../parts/Notice.tsx";
import { askRooms } from "../store/house.ts";
import type { RoomCard } from "../wire.ts";

export function Rooms() {
  return (
    <div class="rooms">
      <h1>Open rooms</h1>
      <Asked ask={askRooms} what="the rooms">
        {({ rooms }, reload) => {
          const open = rooms.filter((room) => !room.over).sort((one, other) => order(one) - order(other));
          if (open.length === 0) {
            return (
              <Notice title="No room is open">
                <p>Open one and share its link.</p>
                <Link to="/new" class="button">
                  New room
                </Link>
              </Notice>
            );
          }
          return (
            <>
              <ul class="room-list">
                {open.map((room) => (
                  <RoomLine key={room.room} room={room} />
                ))}
              </ul>
              <button type="button" class="quiet" onClick={reload}>
                Look again
              </button>
            </>
          );
        }}
      </Asked>
    </div>
  );
}

const order = (room: RoomCard) => (room.you !== null ? 0 : room.empty > 0 ? 1 : 2);

function RoomLine({ room }: { room: RoomCard }) {
  const todo = room.you !== null ? "Go on" : room.empty > 0 ? "Take a seat" : "Watch";
  const stakes = GAMES[room.game].stakes(room.blinds, room.stack).join(", ");
  return (
    <li>
      <Link to={pathOf({ page: "room", room: room.room })} class="room-line">
        <span class="room-name">
          <b>{room.title || GAMES[room.game].title}</b>
          <small>
            {GAMES[room.game].title} · {stakes}
            {room.llm ? " · with a language model" : ""}
          </small>
        </span>
        <span class="room-who">
          {listed([...room.people, ...room.minds])}
          <small>
            {room.empty > 0 ? `${room.empty} of ${room.seats} seats free` : `${room.seats} seats, all taken`} ·{" "}
            {countWords(room)}
          </small>
        </span>
        <span class="room-do">{todo}</span>
      </Link>
    </li>
  );
}
