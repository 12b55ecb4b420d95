"""B3 reference samples as CSV, digits unchanged. Run: python generate.py path/to/b3_reference.txt"""
import sys
from pathlib import Path

lines = [line.split() for line in Path(sys.argv[1]).read_text().splitlines()]
assert len(lines) == 61 and all(len(line) == 5 for line in lines)
with open(Path(__file__).parent / "data.csv", "w") as out:
    out.write("t,phi,x,phidot,xdot\n")
    out.writelines(",".join(line) + "\n" for line in lines)
