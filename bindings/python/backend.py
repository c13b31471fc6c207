"""Builds the package: PEP 517 hooks, and by hand `python3 backend.py FOLDER`, with nothing but the standard library, a C compiler and CMake.

The library is built from the sources two folders up and becomes a part of the extension. With SCRIM_SYSTEM=1 the installed one that pkg-config
knows is linked instead; with SCRIM_BUILD=folder the one that was built there.
"""
import base64
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = next((p for p in (os.path.join(HERE, "library"), os.path.dirname(os.path.dirname(HERE))) if os.path.exists(os.path.join(p, "CMakeLists.txt"))), None)
TAG = "cp39-abi3"


def say(*command, **more):
    return subprocess.run(command, check=True, **more)


def asked(*command):
    return shlex.split(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# ---- the library ----


def library():
    """Compiler's flags and linker's words, and the version."""
    if os.environ.get("SCRIM_SYSTEM") == "1":
        place = ["-Wl,-rpath," + folder for folder in asked("pkg-config", "--variable=libdir", "scrim")]
        return asked("pkg-config", "--cflags", "scrim"), asked("pkg-config", "--libs", "scrim") + place, asked("pkg-config", "--modversion", "scrim")[0]
    if TOP is None:
        raise SystemExit("the library's sources are not here: install libscrim and set SCRIM_SYSTEM=1")
    build = os.environ.get("SCRIM_BUILD") or build_library()
    with open(os.path.join(build, "scrim.pc"), encoding="utf-8") as file:
        said = dict(line.rstrip("\n").split(": ", 1) for line in file if ": " in line)
    private = shlex.split(said["Libs.private"])
    archive = os.path.join(build, "libscrim.a")
    if os.path.exists(archive):
        link = [archive, "-Wl,--exclude-libs,ALL", *private]
    else:  # a build for tests has the shared library only
        link = ["-L" + build, "-lscrim", "-Wl,-rpath," + os.path.abspath(build)]
    return ["-I" + os.path.join(TOP, "include")], link, said["Version"]


def build_library():
    build = os.path.join(TOP, "build-python")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    say("cmake", "-S", TOP, "-B", build, *generator, "-DSCRIM_WERROR=OFF", stdout=subprocess.DEVNULL)
    say("cmake", "--build", build, "--target", "scrim_static", "--parallel", stdout=subprocess.DEVNULL)
    return build


# ---- the package ----


def compile_extension(package):
    flags, link, version = library()
    source = os.path.join(HERE, "src")
    out = os.path.join(package, "_core.abi3.so")
    compiler = shlex.split(os.environ.get("CC") or "cc")
    own = ["-std=c17", "-D_GNU_SOURCE", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-shared"]
    sources = [os.path.join(source, name) for name in sorted(os.listdir(source)) if name.endswith(".c")]
    more = shlex.split(os.environ.get("CFLAGS", ""))
    more += [] if "-g" in more else ["-Wl,-s"]
    say(*compiler, *own, *more, "-I" + sysconfig.get_path("include"), *flags, *sources, "-o", out, *link)
    return out, version


def load(path):
    spec = importlib.util.spec_from_file_location("_core", path)
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    return core


def build(into):
    """The whole package in `into`/scrim; its version."""
    package = os.path.join(into, "scrim")
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "package"), package, ignore=shutil.ignore_patterns("__pycache__"))
    extension, version = compile_extension(package)
    sys.path.insert(0, HERE)
    from generate import generate

    generate(load(extension), package)
    return version


# ---- wheels ----


def metadata(version):
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    return (
        f"Metadata-Version: 2.1\nName: scrim\nVersion: {version}\nSummary: Release data without exposing anyone: statistical disclosure control\n"
        "License: GPL-3.0-or-later\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n"
        "Provides-Extra: frames\nRequires-Dist: pandas; extra == 'frames'\nRequires-Dist: polars; extra == 'frames'\n"
        f"Requires-Dist: pyarrow; extra == 'frames'\n\n{readme}"
    )


def platform():
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def pack(folder, path):
    """A zip of all files, with RECORD as its last."""
    records = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for base, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                file = os.path.join(base, name)
                place = os.path.relpath(file, folder)
                with open(file, "rb") as handle:
                    data = handle.read()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                records.append(f"{place},sha256={digest},{len(data)}\n")
                entry = zipfile.ZipInfo(place, (1980, 1, 1, 0, 0, 0))
                entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                wheel.writestr(entry, data)
        info = next(r for r in records if ".dist-info/METADATA" in r).split("/")[0]
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0)), "".join(records) + f"{info}/RECORD,,\n")


def describe_wheel(folder, version):
    info = os.path.join(folder, f"scrim-{version}.dist-info")
    os.mkdir(info)
    with open(os.path.join(info, "METADATA"), "w", encoding="utf-8") as file:
        file.write(metadata(version))
    with open(os.path.join(info, "WHEEL"), "w", encoding="utf-8") as file:
        file.write(f"Wheel-Version: 1.0\nGenerator: scrim\nRoot-Is-Purelib: false\nTag: {TAG}-{platform()}\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        version = build(folder)
        describe_wheel(folder, version)
        name = f"scrim-{version}-{TAG}-{platform()}.whl"
        pack(folder, os.path.join(wheel_directory, name))
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    system = os.environ.get("SCRIM_SYSTEM") == "1"
    version = asked("pkg-config", "--modversion", "scrim")[0] if system else version_of_sources()
    describe_wheel(metadata_directory, version)
    return f"scrim-{version}.dist-info"


def get_requires_for_build_wheel(config_settings=None):
    return []


# ---- source archives ----

LIBRARY_PARTS = ("CMakeLists.txt", "LICENSE", "src", "include", "tools", "share", "scripts", "cli", "server", "web", "examples", "tests/fault")


def version_of_sources():
    with open(os.path.join(TOP, "CMakeLists.txt"), encoding="utf-8") as file:
        return file.read().split("VERSION ", 2)[2].split()[0]


def build_sdist(sdist_directory, config_settings=None):
    """The binding, and with it the library's sources in library/."""
    version = version_of_sources()
    root = f"scrim-{version}"
    with tarfile.open(os.path.join(sdist_directory, root + ".tar.gz"), "w:gz") as archive:
        for name in ("backend.py", "generate.py", "pyproject.toml", "README.md", "package", "src"):
            archive.add(os.path.join(HERE, name), f"{root}/{name}", filter=lambda entry: None if "__pycache__" in entry.name else entry)
        for name in LIBRARY_PARTS:
            archive.add(os.path.join(TOP, name), f"{root}/library/{name}")
        with tempfile.TemporaryDirectory() as folder:
            info = os.path.join(folder, "PKG-INFO")
            with open(info, "w", encoding="utf-8") as file:
                file.write(metadata(version))
            archive.add(info, f"{root}/PKG-INFO")
    return root + ".tar.gz"


def get_requires_for_build_sdist(config_settings=None):
    return []


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(build(sys.argv[1]))
