import { render } from "preact";
import { App } from "./app.tsx";
import "./style/base.css";
import "./style/cards.css";
import "./style/felt.css";
import "./style/bar.css";
import "./style/panel.css";
import "./style/pages.css";
import "./style/study.css";

render(<App />, document.getElementById("app")!);
