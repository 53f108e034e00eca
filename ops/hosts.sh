# Sourced by ops/test: finds the programs in front of the service and beside it, or gets them: nginx, Caddy, promtool. They are
# unpacked into var/hosts from the packages of the system, so that nothing of them is started and nobody need be root.

hosts() {
    local program package
    export PATH="$PATH:/usr/sbin:$PWD/var/hosts/usr/sbin:$PWD/var/hosts/usr/bin"
    for program in nginx:nginx caddy:caddy promtool:prometheus; do
        package=${program#*:} program=${program%%:*}
        command -v "$program" >/dev/null 2>&1 && continue
        command -v apt-get >/dev/null 2>&1 || fail "$program is missing: install the package $package of your system"
        echo "esporles: taking $program from the package $package" >&2
        mkdir -p var/hosts
        if ! (cd var/hosts && apt-get download -qq "$package" >/dev/null 2>&1); then
            [ "$(id -u)" = 0 ] && apt-get update -qq >/dev/null 2>&1
            (cd var/hosts && apt-get download -qq "$package" >/dev/null 2>&1) ||
                fail "the package $package cannot be had: install $program"
        fi
        for found in var/hosts/"$package"_*.deb; do dpkg-deb -x "$found" var/hosts && rm -f "$found"; done
        command -v "$program" >/dev/null 2>&1 || fail "the package $package brought no $program"
    done
}
