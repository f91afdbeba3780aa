// The frame of every page except the table: title, navigation, settings.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link } from "./Link.tsx";
import { SettingsDialog } from "./SettingsDialog.tsx";

export function Shell({ children, wide = false }: { children: ComponentChildren; wide?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div class={`shell${wide ? " shell-wide" : ""}`}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Link to="/" class="mark">
          <Mark />
          tahur
        </Link>
        <nav aria-label="doors">
          <Link to="/new">New room</Link>
          <Link to="/rooms">Open rooms</Link>
          <Link to="/history">History</Link>
          <Link to="/study">Study</Link>
          <button type="button" class="quiet" onClick={() => setOpen(true)}>
            Settings
          </button>
        </nav>
      </header>
      <main id="main">{children}</main>
      <footer class="foot">
        <Link to="/fair">What is fair here, and how to check it</Link>
      </footer>
      {open && <SettingsDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

export function Mark() {
  return (
    <svg class="mark-sign" viewBox="0 0 32 32" aria-hidden="true">
      <rect x="5" y="4" width="15" height="21" rx="2.6" transform="rotate(-9 12 14)" class="mark-card" />
      <rect x="13" y="12" width="15" height="15" rx="3.6" class="mark-die" />
      <circle cx="17.2" cy="16.2" r="1.7" class="mark-pip" />
      <circle cx="20.5" cy="19.5" r="1.7" class="mark-pip" />
      <circle cx="23.8" cy="22.8" r="1.7" class="mark-pip" />
    </svg>
  );
}
