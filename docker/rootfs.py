"""Collect into an empty directory the files that the image needs, and nothing else.

Run in the build stage: `python3 rootfs.py ROOT PACKAGES`. ROOT becomes the image: the interpreter,
its standard library, the shared libraries that these and the PACKAGES directory link to, the
certificates, and for scanners the records of the Debian packages behind them. Everything is
compiled to bytecode that is loaded without a look at its source.
"""
# ruff: noqa: INP001 - a script of the image's build, not a module

from __future__ import annotations

import compileall
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

STDLIB = Path(sysconfig.get_path("stdlib"))
SITE = Path("usr/local/lib") / STDLIB.name / "dist-packages"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
CERTIFICATE_SOURCES = Path("/usr/share/ca-certificates")

# Isolated (-I): neither the environment nor the working directory can change what is imported.
LAUNCHER = """\
#!/usr/bin/{interpreter} -IXutf8
from manni.cli.main import process

process({arguments})
"""
# A runner hands the input `args` to the entry point too, so the action's own takes no arguments.
LAUNCHERS = {"manni": "", "manni-action": '["action"]'}

# Parts of the standard library that nothing here imports: user interfaces, installers, databases.
UNUSED = (
    *(
        "_pyrepl",
        "curses",
        "dbm",
        "ensurepip",
        "idlelib",
        "pydoc_data",
        "sqlite3",
        "test",
        "tkinter",
    ),
    *("turtle*", "turtledemo", "venv", "__pycache__", "config-*", "EXTERNALLY-MANAGED"),
    *("sitecustomize.py", "_curses*.so", "_dbm*.so", "_gdbm*.so", "_sqlite3*.so", "readline*.so"),
    *("_test*.so", "_ctypes_test*.so", "_xx*.so", "xx*.so"),
)


def output(*command: str | Path) -> str:
    """What a command prints, or the end of the build."""
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout


def copy(file: Path, root: Path) -> None:
    """Copy what a path leads to, links followed, to the same path below the root."""
    target = root / file.relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, target)


def libraries(root: Path) -> set[Path]:
    """The shared libraries, the loader included, that the binaries below the root ask for."""
    binaries = [*root.glob("usr/bin/python*"), *root.rglob("*.so"), *root.rglob("*.so.*")]
    found: set[Path] = set()
    for binary in binaries:
        listing = output("ldd", binary)
        if "not found" in listing:
            sys.exit(f"{binary} links to a library that is not installed:\n{listing}")
        found.update(
            Path(path) for path in re.findall(r"(?:=> |^\t)(/\S+) \(", listing, re.MULTILINE)
        )
    return {path for path in found if not path.is_relative_to(root)}


def record_packages(files: set[Path], root: Path) -> None:
    """Write, for each Debian package that a file came from, its record and its licence."""
    records = root / "var/lib/dpkg/status.d"
    records.mkdir(parents=True)
    owners = output("dpkg-query", "--search", *(file.resolve() for file in files))
    for package in {line.split(": ")[0] for line in owners.splitlines()}:
        name = package.split(":")[0]
        (records / name).write_text(output("dpkg-query", "--status", package))
        licence = Path("/usr/share/doc") / name / "copyright"
        if licence.is_file():
            copy(licence, root)


def list_licences(packages: Path, root: Path) -> None:
    """Write one line for each Python distribution and Debian package: name, version, licence."""
    lines = []
    for found in sorted(distributions(path=[str(packages)]), key=lambda each: each.name.lower()):
        about = found.metadata
        stated = [about.get("License-Expression"), about.get("License")]
        stated += [
            classifier.rpartition(" :: ")[2]
            for classifier in about.get_all("Classifier", [])
            if classifier.startswith("License :: ")
        ]
        # Some put the whole text of their licence where its name belongs.
        name = next((text for text in stated if text and "\n" not in text), "see its dist-info")
        lines.append(f"{found.name} {found.version}: {name}")
    for record in sorted((root / "var/lib/dpkg/status.d").iterdir()):
        fields = dict(re.findall(r"^(Package|Version): (.+)$", record.read_text(), re.MULTILINE))
        where = f"see /usr/share/doc/{record.name}/copyright"
        lines.append(f"{fields['Package']} {fields['Version']}: {where}")
    listing = root / "usr/share/doc/manni/licences.txt"
    listing.parent.mkdir(parents=True)
    listing.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_launchers(root: Path) -> None:
    """Write the commands of the image."""
    for name, arguments in LAUNCHERS.items():
        launcher = root / "usr/bin" / name
        launcher.write_text(LAUNCHER.format(interpreter=STDLIB.name, arguments=arguments))
        launcher.chmod(0o755)


def compile_modules(root: Path) -> None:
    """Compile every module to bytecode that needs no look at its source."""
    compiled = compileall.compile_dir(
        root,
        maxlevels=50,
        quiet=1,
        stripdir=root,
        prependdir="/",
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    if not compiled:
        sys.exit("some modules cannot be compiled")


def main() -> None:
    """Fill the root."""
    root, packages = Path(sys.argv[1]), Path(sys.argv[2])
    interpreter = Path("/usr/bin") / STDLIB.name
    unused = shutil.ignore_patterns(*UNUSED)
    shutil.copytree(STDLIB, root / STDLIB.relative_to("/"), ignore=unused)
    unused = shutil.ignore_patterns("__pycache__", "bin", "tests")
    shutil.copytree(packages, root / SITE, ignore=unused)
    copy(interpreter, root)
    needed = libraries(root)
    for library in needed:
        copy(library, root)
    copy(CERTIFICATES, root)
    sources = {interpreter, STDLIB / "os.py", STDLIB / "asyncio", CERTIFICATE_SOURCES}
    record_packages(needed | sources, root)
    list_licences(packages, root)
    write_launchers(root)
    compile_modules(root)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)


if __name__ == "__main__":
    main()
