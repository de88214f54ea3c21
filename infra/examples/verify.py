# Verifies an exported activity log without the service (functions/activity-log/ACTIVITY.md). Python 3.9 or later.
import hashlib, json, re, sys

def sha256(*parts):
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part), part) for part in parts)).hexdigest()

def in_order(value):
    # The order of UTF-16 code units, as in JavaScript.
    if not isinstance(value, dict):
        return value
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return {key: in_order(value[key]) for key in keys}

def canonical(value):
    return json.dumps(in_order(value), ensure_ascii=False, separators=(",", ":"))

def is_flat(value):
    fits = lambda each: type(each) is str or (type(each) is int and abs(each) < 2**53)
    return type(value) is dict and all(map(fits, value.values()))

def is_recorded(kept, digest):
    if set(kept) != {"salt", "text"} or not re.fullmatch("[0-9a-f]{64}", kept["salt"]):
        return False
    return sha256(b"activity:text", bytes.fromhex(kept["salt"]), kept["text"].encode()) == digest

def verify(line, text, before):
    if not text.endswith("\n"):
        sys.exit(f"Line {line} does not end with a line feed: the export was cut off.")
    if len(text.encode()) > 4_000_000:
        sys.exit(f"Line {line} is longer than a record.")
    text = text[:-1]
    entry = json.loads(text)
    record, texts = entry["record"], entry.get("texts", {})
    chain, before = before or (record["chain"], sha256(b"activity:chain", record["chain"].encode()))
    digest = sha256(b"activity:record", before.encode(), canonical(record).encode())
    is_canonical = text == canonical(entry) and set(entry) <= {"hash", "record", "texts"} and entry.get("texts") != {}
    is_next = type(record["sequence"]) is int and (record["sequence"], record["chain"]) == (line, chain)
    is_next = is_next and is_flat(record["content"]) and is_flat({**record, "content": 0})
    if not is_canonical or not is_next or entry["hash"] != digest:
        sys.exit(f"Line {line} is not the record that was written there.")
    for part, kept in texts.items():
        if not is_recorded(kept, record["content"].get(part)):
            sys.exit(f"The text {part} of line {line} is not the one that was recorded.")
    return (chain, digest), len(record["content"]) - len(texts)

before, line, removed = None, 0, 0
try:
    for line, text in enumerate(open(sys.argv[1], encoding="utf-8", newline="\n"), 1):
        before, missing = verify(line, text, before)
        removed += missing
except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
    sys.exit(f"Line {line} or the one after it is no record.")
print(f"{line} records, {removed} texts removed, last hash {before and before[1]}")
