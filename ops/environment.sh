# Sourced by ops/serve and ops/test: makes .venv hold exactly the locked requirements, and does nothing when it does.
# Usage: environment REQUIREMENTS_FILE

fail() { printf 'esporles: %s\n' "$1" >&2; exit 1; }

find_python() {
    local candidate
    for candidate in ${ESPORLES_PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "no Python 3.11 or newer on the PATH; install one, or name it in ESPORLES_PYTHON"
}

# Debian splits ensurepip from its Python; as root the missing package is fetched, else the sentence says its name.
make_venv() {
    local python=$1
    rm -rf .venv
    if ! "$python" -m venv .venv 2>.venv-error; then
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
            apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null && rm -rf .venv &&
                "$python" -m venv .venv || fail "python3-venv could not be installed: $(cat .venv-error)"
        else
            fail "$python cannot make a virtual environment (Debian and Ubuntu: install python3-venv): $(cat .venv-error)"
        fi
    fi
    rm -f .venv-error
}

environment() {
    local requirements=$1 stamp wanted
    stamp=.venv/.esporles-stamp
    wanted="$requirements $(cat "$requirements" pyproject.toml ops/environment.sh | cksum) $PWD"
    if [ -x .venv/bin/python ] && [ -f "$stamp" ] && grep -qxF "$wanted" "$stamp"; then
        return
    fi
    if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "esporles: making the environment in .venv" >&2
        make_venv "$(find_python)"
    fi
    echo "esporles: installing $requirements" >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$requirements" >&2 ||
        fail "the requirements could not be installed; the lines above say why"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . >&2 ||
        fail "the project could not be installed into .venv; the lines above say why"
    # requirements-test.txt holds everything of requirements.txt at the same versions, so either stamp may stand.
    { [ "$requirements" = requirements-test.txt ] &&
        printf '%s\n' "requirements.txt $(cat requirements.txt pyproject.toml ops/environment.sh | cksum) $PWD"
    printf '%s\n' "$wanted"; } >"$stamp"
}
