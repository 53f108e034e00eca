# Sourced by ops/test: finds a Chromium, or gets one, and names it in ESPORLES_CHROMIUM. Its headless shell comes first
# (ops/decisions/0019): the same engine, without the window whose own pages took 40 of 100 parts of the processor's time.

SPARTICUZ_VERSION=153.0.0

find_browser() {
    local candidate
    for candidate in "${ESPORLES_CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" --version >/dev/null 2>&1; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# Each way runs only when the one before it found nothing; what a package client prints goes to stderr.
browser() {
    if ESPORLES_CHROMIUM=$(find_browser); then
        export ESPORLES_CHROMIUM
        return
    fi
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "esporles: installing Chromium with apt-get" >&2
        export DEBIAN_FRONTEND=noninteractive
        { apt-get update -qq && { apt-get install -y -qq chromium-headless-shell || apt-get install -y -qq chromium; }; } \
            >/dev/null 2>&2 || true
    elif [ "$(id -u)" = 0 ] && command -v dnf >/dev/null 2>&1; then
        echo "esporles: installing Chromium with dnf" >&2
        dnf install -y -q chromium >&2 || true
    elif [ "$(id -u)" = 0 ] && command -v apk >/dev/null 2>&1; then
        echo "esporles: installing Chromium with apk" >&2
        apk add --quiet chromium >&2 || true
    fi
    if ESPORLES_CHROMIUM=$(find_browser); then
        export ESPORLES_CHROMIUM
        return
    fi
    if command -v npm >/dev/null 2>&1; then
        echo "esporles: taking Chromium from the npm package @sparticuz/chromium" >&2
        mkdir -p var/browser
        npm install --silent --no-save --prefix var/browser "@sparticuz/chromium@$SPARTICUZ_VERSION" >&2 || true
        if ESPORLES_CHROMIUM=$(cd var/browser && node --input-type=module -e '
            import chromium from "@sparticuz/chromium";
            console.log(await chromium.executablePath());' 2>/dev/null) && [ -x "$ESPORLES_CHROMIUM" ]; then
            export ESPORLES_CHROMIUM
            return
        fi
    fi
    fail "no browser: the page tests need Chromium. Install it, or name one in ESPORLES_CHROMIUM"
}
