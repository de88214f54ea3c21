// The part of Markdown that the OpenAPI document uses: headings, paragraphs, lists, tables, commands and `code`.
import { say } from "./action.tsx";

const block = /```\w*\n([\s\S]*?)\n```|(?:.+\n?)+/g;

export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown">
      {[...text.matchAll(block)].map(([whole, code], at) => (
        <Block key={at} text={whole.trim()} code={code} />
      ))}
    </div>
  );
}

function Block({ text, code }: { text: string; code: string | undefined }) {
  if (code !== undefined) return <Code text={code} />;
  if (text.startsWith("## ")) return <h2>{text.slice(3)}</h2>;
  if (text.startsWith("|")) return <Table rows={text.split("\n")} />;
  if (!text.startsWith("- ")) {
    return (
      <p>
        <Inline text={text} />
      </p>
    );
  }
  return (
    <ul>
      {text
        .split(/^- /m)
        .slice(1)
        .map((each) => (
          <li key={each}>
            <Inline text={each} />
          </li>
        ))}
    </ul>
  );
}

function Table({ rows: [head = "", , ...rows] }: { rows: string[] }) {
  const cells = (row: string) => row.split("|").slice(1, -1);
  return (
    <table>
      <thead>
        <tr>
          {cells(head).map((each) => (
            <th key={each} scope="col">
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {cells(row).map((each) => (
              <td key={each}>
                <Inline text={each} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Inline({ text }: { text: string }) {
  return <>{text.split("`").map((each, at) => (at % 2 === 1 ? <code key={`${at}`}>{each}</code> : each))}</>;
}

/** Text to copy, such as a command. The keyboard can scroll it. */
export function Code({ text }: { text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say("Copied."),
      () => say("The browser does not permit copying. Select the text instead."),
    );
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can then scroll it */}
      <pre tabIndex={0}>{text}</pre>
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
    </div>
  );
}
