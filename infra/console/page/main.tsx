// The entry of the console's page.
import { render } from "preact";
import { keepConsoleKey } from "./api.ts";
import { App } from "./app.tsx";
import { showTexts } from "./shown-text.ts";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/parts.css";
import "./styles/reference.css";

keepConsoleKey();
showTexts();
render(<App />, document.getElementById("app") as HTMLElement);
