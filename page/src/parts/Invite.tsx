// Inviting friends: a link that works on their machines, or what the operator must do for one.

import { useRef, useState } from "preact/hooks";
import { inviteLink } from "../logic/invite.ts";
import { askHouse } from "../store/house.ts";
import { Asked } from "./Asked.tsx";
import { Dialog } from "./Dialog.tsx";

export function Invite() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Invite
      </button>
      {open && (
        <Dialog title="Invite friends" onClose={() => setOpen(false)}>
          <Asked ask={askHouse} what="the address">
            {(house) => <How link={inviteLink(location, house.address)} password={house.password} />}
          </Asked>
        </Dialog>
      )}
    </>
  );
}

function How({ link, password }: { link: string | undefined; password: boolean }) {
  if (link === undefined)
    return (
      <>
        <p>This server listens only on this machine: no one else can open a link to it.</p>
        <p>To let friends in the same network join, stop it (Ctrl-C; nothing is lost) and start it again with</p>
        <p>
          <code>tahur room serve --host 0.0.0.0 --password "four aces"</code>
        </p>
      </>
    );
  return (
    <>
      <p>
        Friends in the same network can take a seat with this link
        {password ? ", and need the password of this server." : "."}
      </p>
      <Copied link={link} />
    </>
  );
}

function Copied({ link }: { link: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = () => {
    field.current?.select();
    // On plain http the clipboard API is not available; the old command still works.
    const done = navigator.clipboard?.writeText(link) ?? Promise.resolve(document.execCommand("copy"));
    void done.then(() => setCopied(true));
  };
  return (
    <p class="invite-link">
      <input ref={field} readOnly value={link} aria-label="the link" onFocus={(event) => event.currentTarget.select()} />
      <button type="button" class="button" onClick={copy}>
        {copied ? "Copied" : "Copy"}
      </button>
      <span class="hidden" role="status">
        {copied ? "The link is copied" : ""}
      </span>
    </p>
  );
}
