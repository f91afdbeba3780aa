// The router: selects the page to show.

import { route } from "./store/navigation.ts";
import { Link } from "./parts/Link.tsx";
import { Notice } from "./parts/Notice.tsx";
import { Shell } from "./parts/Shell.tsx";
import { Fair } from "./pages/Fair.tsx";
import { Hands, History } from "./pages/History.tsx";
import { Home } from "./pages/Home.tsx";
import { NewRoomPage } from "./pages/NewRoom.tsx";
import { ReplayPage } from "./pages/ReplayPage.tsx";
import { RoomDoor } from "./pages/RoomDoor.tsx";
import { Rooms } from "./pages/Rooms.tsx";
import { Study } from "./pages/Study.tsx";
import { StudySpot } from "./pages/StudySpot.tsx";

export function App() {
  const now = route.value;
  switch (now.page) {
    case "room":
      return <RoomDoor key={now.room} room={now.room} />;
    case "home":
      return (
        <Shell>
          <Home />
        </Shell>
      );
    case "new":
      return (
        <Shell>
          <NewRoomPage />
        </Shell>
      );
    case "rooms":
      return (
        <Shell>
          <Rooms />
        </Shell>
      );
    case "history":
      return (
        <Shell>
          <History />
        </Shell>
      );
    case "hands":
      return (
        <Shell>
          <Hands key={now.room} room={now.room} />
        </Shell>
      );
    case "replay":
      return (
        <Shell>
          <ReplayPage room={now.room} hand={now.hand} />
        </Shell>
      );
    case "fair":
      return (
        <Shell>
          <Fair />
        </Shell>
      );
    case "study":
      return (
        <Shell>
          <Study />
        </Shell>
      );
    case "spot":
      return (
        <Shell wide>
          <StudySpot key={now.spot} spot={now.spot} line={now.line} />
        </Shell>
      );
    case "lost":
      return (
        <Shell>
          <Notice title="There is no such page">
            <p>{now.path} leads nowhere. Nothing is lost: rooms and hands are where they were.</p>
            <Link to="/" class="button">
              Home
            </Link>
          </Notice>
        </Shell>
      );
  }
}
