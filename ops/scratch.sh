# Sourced by ops/test: where tests write what nobody keeps. Most of them open databases, which wait for the disk at every
# commit; a process that is killed loses nothing in memory either, so what they prove is the same there.

SCRATCH_MEGABYTES=1024 # several times what the tests hold at any moment

fits() {
    local free probe
    free=$(df -Pm "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
    [ "${free:-0}" -ge "$SCRATCH_MEGABYTES" ] && probe=$(mktemp "$1/esporles-XXXXXX" 2>/dev/null) || return 1
    printf '#!/bin/sh\n' >"$probe" && chmod 700 "$probe"
    # Some tests run what they have written.
    "$probe" 2>/dev/null
    local status=$?
    rm -f "$probe"
    return $status
}

# A TMPDIR that is named stays. What failing tests have left stays too, until somebody has looked at it.
scratch() {
    [ -z "${TMPDIR:-}" ] && fits /dev/shm || return 0
    TMPDIR=$(mktemp -d /dev/shm/esporles-XXXXXX)
    # The server of PostgreSQL walks through it as another user.
    chmod 711 "$TMPDIR"
    export TMPDIR
    trap 'leave_scratch $?' EXIT
}

leave_scratch() {
    if [ "$1" = 0 ]; then
        rm -rf "$TMPDIR"
    else
        echo "esporles: what the tests have left is in $TMPDIR" >&2
    fi
}
