import { useState } from "preact/hooks";
import { Inline } from "../components/markdown.tsx";
import { Tag } from "../components/page.tsx";
import { fieldsOf, type OpenApi, resolved, type Schema, type SchemaField, typeOf } from "./reference-document.ts";

interface FieldsProps {
  document: OpenApi;
  schema: Schema;
  /** How many levels of fields in fields are shown at first. */
  levels?: number;
}

export function Fields({ document, schema, levels = 0 }: FieldsProps) {
  return (
    <ul class="fields">
      {fieldsOf(document, schema).map((each, at) => (
        <Row key={`${at} ${each.name}`} document={document} levels={levels} field={each} />
      ))}
    </ul>
  );
}

function Row({ document, levels, field }: { document: OpenApi; levels: number; field: SchemaField }) {
  const { name, schema, isRequired } = field;
  const [isOpen, setOpen] = useState(levels > 0);
  const { description } = resolved(document, schema);
  const hasFields = fieldsOf(document, schema).length > 0;
  return (
    <li>
      <p class="row">
        <code>{name}</code>
        <span class="quiet">{typeOf(document, schema)}</span>
        {isRequired && <Tag>required</Tag>}
      </p>
      {description && (
        <p>
          <Inline text={description} />
        </p>
      )}
      {hasFields && (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary aria-label={`Fields of ${name}`}>Fields</summary>
          {/* A schema can contain itself. */}
          {isOpen && <Fields document={document} schema={schema} levels={levels - 1} />}
        </details>
      )}
    </li>
  );
}
