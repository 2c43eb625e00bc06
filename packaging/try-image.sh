#!/bin/sh
# Try the steps of the Dockerfile where there is no container engine: in a clean Debian root, with what it
# installs read-only and its user without any right.
#
#     sudo packaging/try-image.sh [ROOT]
#
# ROOT is made by mmdebstrap unless it is there already, and kept; without it a temporary one is used. What the
# base image, layers, networks and volumes of an engine would do is not tried. WEIGHTS=DIR copies weights that were
# fetched before, instead of fetching them (180 MB).
set -eu
if [ -z "${TRYING:-}" ]; then
    kept=${1:-}
    root=${kept:-$(mktemp -d)}
    work=$(mktemp -d)
    status=0
    TRYING=1 unshare --mount --pid --fork --kill-child "$0" "$root" "$work" || status=$?
    # Its processes and mounts went with it.
    rm -rf --one-file-system "$work"
    [ -n "$kept" ] || rm -rf --one-file-system "$root"
    exit $status
fi

tree=$(cd "$(dirname "$0")/.." && pwd)
root=$1
work=$2
begun=$(date +%s)
say() { echo "$(($(date +%s) - begun)) s  $*"; }

if [ ! -x "$root/usr/bin/python3" ]; then
    mmdebstrap --quiet --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root"
    chmod 755 "$root"
    say "a Debian root"
fi
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
# How this machine reaches the package index.
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

environment="PIP_CERT=/etc/ssl/certs/ca-certificates.crt"
as_root() {
    chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin $environment sh -ec "$1" </dev/null
}
as_user() {
    chroot "$root" /usr/bin/env -i $environment setpriv --reuid="$user" --regid="$user" --clear-groups \
        --no-new-privs --inh-caps=-all --bounding-set=-all sh -ec "cd $folder; $1" </dev/null
}
# A list as JSON, as a command of the shell.
command_of() { python3 -c 'import json, shlex, sys; print(shlex.join(json.loads(sys.argv[1])))' "$1"; }

sed -e '/^#/d' -e '/^$/d' -e ':join' -e '/\\$/{N;s/\\\n */ /;b join' -e '}' "$tree/packaging/Dockerfile" >"$work/steps"
while IFS= read -r step; do
    rest=${step#* }
    case $step in
    ARG* | FROM* | VOLUME* | EXPOSE* | "COPY --from=build "*) ;; # one root stands for both stages
    COPY*)
        to=$root/${rest##* }
        mkdir -p "$to"
        for name in ${rest% *}; do
            if [ -d "$tree/$name" ]; then cp -R "$tree/$name/." "$to"; else cp "$tree/$name" "$to"; fi
        done
        ;;
    "RUN useradd"*) as_root "id redraft >/dev/null 2>&1 || { $rest; }" ;; # a root that was kept has it
    RUN*) as_root "$rest" ;;
    ENV*) environment="$environment $rest" ;;
    WORKDIR*) folder=$rest ;;
    USER*) user=$rest ;;
    HEALTHCHECK*) healthy=$(command_of "${rest#*CMD }") ;;
    ENTRYPOINT*) serve=$(command_of "$rest") ;;
    *)
        echo "try-image.sh does not know this step: $step" >&2
        exit 2
        ;;
    esac
    say "$(printf %.60s "$step")"
done <"$work/steps"

# As `docker run --read-only --tmpfs /tmp -v redraft:/data -v token:/run/secrets/token:ro` would.
rm -rf "$root/src"
if [ -n "${WEIGHTS:-}" ]; then
    mkdir -p "$root/data/cache"
    cp -R "$WEIGHTS" "$root/data/cache/weights"
    as_root "chown -R $user:$user /data/cache && chmod 700 /data/cache"
fi
mkdir -p "$root/run/secrets"
mount --bind "$root/data" "$root/data"
mount -t tmpfs tmpfs "$root/run/secrets"
mount -o remount,bind,ro "$root"

if as_user "$serve" >"$work/said" 2>&1; then
    echo "it started without a token" >&2
    exit 1
fi
say "without a token it does not start: $(head -n 1 "$work/said")"
if as_user "touch /opt/redraft/x" 2>/dev/null || as_root "touch /x" 2>/dev/null; then
    echo "the root can be written to" >&2
    exit 1
fi
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$root/run/secrets/token"
as_user "exec $serve" 2>"$work/server" &
until as_user "$healthy" 2>/dev/null; do
    sleep 1
    kill -0 $! || { cat "$work/server" >&2; exit 1; }
done
say "healthy"
cat >"$root/tmp/ask.py" <<'PYTHON'
import json
import urllib.error
import urllib.request

URL = "http://127.0.0.1:8484"
TOKEN = open("/run/secrets/token").read()


def ask(path, body=None, token=TOKEN):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers), timeout=1200) as answer:
        return json.load(answer)


try:
    ask("/readyz", token="a token of somebody else")
    raise SystemExit("it answered to a wrong token")
except urllib.error.HTTPError as error:
    assert error.code == 401, error.code
print(ask("/readyz"))
wanted = {"text": "He have went to the centre. The colour is grey.", "instruction": "American spelling; fix the grammar."}
print(ask("/v1/revise", wanted)["text"])
PYTHON
as_user "python /tmp/ask.py" || { cat "$work/server" >&2; exit 1; }
say "revised"
