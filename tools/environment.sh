# Sourced by ./play and ./test, which set `root` first: makes "$root/.venv" and fills it. POSIX sh.
# With `venv=.venv-3.12` it is that folder and that Python.
: "${root:?}"
venv=.venv

# Sets `python` to the first Python that is new enough and can make a virtual environment, or says what to install.
find_python() {
    lacking=
    version=${venv#.venv} && version=${version#-}
    set -- python3 python3.14 python3.13 python3.12 python3.11 python
    # pyenv answers by a version's name only where that is the one chosen.
    [ -z "$version" ] || set -- "python$version" python3 python "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python
    fits='import sys; sys.exit(sys.version_info < (3, 11) or not "{}.{}.".format(*sys.version_info).startswith(sys.argv[1]))'
    for python; do
        # A name may exist and still not run (the shims of version managers), so it is asked and not looked up.
        "$python" -c "$fits" "${version:+$version.}" </dev/null >/dev/null 2>&1 || continue
        "$python" -c 'import ensurepip, venv' </dev/null >/dev/null 2>&1 && return
        lacking=${lacking:-$python}
    done
    if [ "$lacking" ]; then
        echo "Mekuri: $lacking cannot make virtual environments; install its venv module (Debian, Ubuntu: apt install python3-venv)." >&2
    else
        echo "Mekuri needs Python ${version:-3.11 or newer}; please install it (Debian, Ubuntu: apt install python3 python3-venv)." >&2
    fi
    return 1
}

# A virtual environment belongs to its folder (its scripts name it) and to its Python, which an upgrade of the system may exchange.
place() {
    echo "$root"
    "$root/$venv/bin/python" -V 2>&1
}

# What the environment was filled from, and the page for browsers was built from.
stamp() {
    place
    cat "$root/pyproject.toml" "$root/requirements/$1.txt" | cksum
    find "$root/web" -name node_modules -prune -o -type f -exec cksum {} + | LC_ALL=C sort | cksum
}

pip_install() {
    "$root/$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --no-input "$@"
}

# The page is built by Node.js: the machine's own where it will do, else one from where the other packages come from.
find_node() {
    "$root/$venv/bin/python" "$root/tools/build_page.py" where >/dev/null || pip_install --require-hashes -r "$root/requirements/node.txt"
}

# environment run|test: makes "$venv" hold what requirements/run.txt or test.txt pins (both with all of Mekuri's extra `all`), and Mekuri
# itself, editable, with its page.
environment() {
    [ "$(cat "$root/$venv/filled-for-$1" 2>/dev/null)" = "$(stamp "$1")" ] && [ -f "$root/src/mekuri/server/page/index.html" ] && return

    # There is a stamp only while the folder is whole, so one that is half made, or was moved here, is made anew.
    if [ "$(cat "$root/$venv"/filled-for-* 2>/dev/null | head -n 2)" = "$(place)" ]; then
        echo "Mekuri: bringing $venv up to date." >&2
    else
        find_python || return
        echo "Mekuri: installing what it needs into $venv, once; this takes a minute or two." >&2
        "$python" -m venv --clear "$root/$venv" || return
    fi
    rm -f "$root/$venv"/filled-for-*
    pip_install --require-hashes -r "$root/requirements/$1.txt" &&
        find_node &&
        pip_install --no-deps --no-build-isolation -e "$root" || return

    # test.txt holds all of run.txt.
    stamp run >"$root/$venv/filled-for-run"
    [ "$1" = run ] || stamp "$1" >"$root/$venv/filled-for-$1"
}

# Makes .venv, which environment has filled, hold what requirements/docs.txt pins as well.
documents() {
    [ "$(cat "$root/$venv/filled-for-docs" 2>/dev/null)" = "$(stamp docs)" ] && return
    pip_install --require-hashes -r "$root/requirements/docs.txt" || return
    stamp docs >"$root/$venv/filled-for-docs"
}
