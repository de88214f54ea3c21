# Verifies an exported activity log without the service (functions/workspace/ACTIVITY.md). Python 3.9 or later.
import hashlib, json, sys

def sha256(data):
    return hashlib.sha256(data).hexdigest()

def dumps(value, **options):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), **options)

before, line, removed = None, 0, 0
for line, text in enumerate(open(sys.argv[1], encoding="utf-8", newline="\n"), 1):
    entry = json.loads(text)
    record, texts = entry["record"], entry.get("texts", {})
    canonical = dumps(record, sort_keys=True)
    before = before or sha256(record["chain"].encode())
    before = sha256(f"activity:v1\n{before}\n{canonical}".encode())
    exact = {"record": json.loads(canonical), "hash": before}
    if "texts" in entry:
        exact["texts"] = {part: {"salt": kept["salt"].lower(), "text": kept["text"]} for part, kept in texts.items()}
    if record["sequence"] != line or text.removesuffix("\n") != dumps(exact):
        sys.exit(f"Line {line} is not the record that was written there.")
    for part, kept in texts.items():
        if sha256(bytes.fromhex(kept["salt"]) + kept["text"].encode()) != record["content"].get(part):
            sys.exit(f"The text {part} of line {line} is not the one that was recorded.")
    removed += len(record["content"]) - len(texts)
print(f"{line} records, {removed} texts removed, last hash {before}")
