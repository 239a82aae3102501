#!/usr/bin/env bash
# Builds the image by the Dockerfile and runs it as docs/operating.md says: as a user without rights, with a read-only root and
# a volume. Needs root, podman, mmdebstrap and the network; no daemon, and no image from a registry: the base image is made
# from Debian's packages and Node's npm package.
#
#   scripts/container-check.sh [FOLDER]    FOLDER keeps images between runs; a temporary one by default
set -euo pipefail
cd "$(dirname "$0")/.."

NODE_VERSION=24
BASE=docker.io/library/node:$NODE_VERSION-bookworm-slim
GRACE_SECONDS=30
PORT=${PORT:-18080}

for program in podman runc mmdebstrap npm git curl; do
  PATH=$PATH:/usr/sbin command -v "$program" > /dev/null ||
    { echo "$program is missing: apt-get install --no-install-recommends podman runc mmdebstrap git curl npm"; exit 2; }
done
grep -q "^FROM node:$NODE_VERSION-bookworm-slim" Dockerfile || { echo "The Dockerfile has another base than $BASE"; exit 1; }

if [ $# -gt 0 ]; then
  mkdir -p "$1"
  work=$(cd "$1" && pwd)
else
  work=$(mktemp -d /var/tmp/marquee-container-XXXXXX)
fi
# Images and containers of others are left alone: everything is in the folder.
podman=(podman --root "$work/storage" --runroot "$work/run" --storage-driver "${STORAGE_DRIVER:-overlay}" --cgroup-manager cgroupfs
  --runtime "$(PATH=$PATH:/usr/sbin command -v runc)")
cleanup() {
  "${podman[@]}" rm -f -t 0 marquee-check > /dev/null 2>&1 || true
  rm -rf "$work/context" "$work/base" "$work/volume"
  if [ $# -eq 0 ]; then return; fi
  "${podman[@]}" rmi -a -f > /dev/null 2>&1 || true
  rm -rf "$work"
}
if [ $# -gt 0 ]; then trap 'cleanup' EXIT; else trap 'cleanup all' EXIT; fi

step() { printf '%4d s  %s\n' $SECONDS "$1"; }
fail() { echo "FAILED  $1"; "${podman[@]}" logs marquee-check 2>&1 | tail -n 20 || true; exit 1; }

if ! "${podman[@]}" image exists $BASE; then
  step "making the base image: Debian bookworm and Node $NODE_VERSION"
  mkdir -p "$work/base"
  mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/base/root.tar"
  arch=$(node -p process.arch)
  (cd "$work/base" && npm install --silent --no-audit --no-fund --ignore-scripts --prefix node "node-linux-$arch@$NODE_VERSION" npm@11)
  cp /etc/ssl/certs/ca-certificates.crt "$work/base/"
  cat > "$work/base/Containerfile" << EOF
FROM scratch
ADD root.tar /
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY node/node_modules/node-linux-$arch/bin/node /usr/local/bin/node
COPY node/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && useradd -m -u 1000 node
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
EOF
  "${podman[@]}" build -q --isolation chroot --network host --format docker -t $BASE "$work/base" > /dev/null
fi

step "building the image by the Dockerfile"
mkdir -p "$work/context"
git archive HEAD | tar -x -C "$work/context"
"${podman[@]}" build -q --isolation chroot --network host --format docker --pull=never -t marquee \
  --build-arg COMMIT="$(git rev-parse --short HEAD)" "$work/context" > /dev/null
bytes() { "${podman[@]}" image inspect --format '{{.Size}}' "$1"; }
step "the image has $(($(bytes marquee) / 1000000)) MB, $((($(bytes marquee) - $(bytes $BASE)) / 1000000)) MB of them above its base"

mkdir -p "$work/volume"
chown 1000:1000 "$work/volume"
# Limits that any machine allows; podman's own need rights to raise them.
run=("${podman[@]}" run --network host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --read-only --tmpfs /tmp
  -v "$work/volume:/var/lib/marquee"
  --cap-drop=all --security-opt=no-new-privileges -e HOST=127.0.0.1 -e PORT="$PORT" -e MARQUEE_WORKERS=1)
step "version: $("${run[@]}" --rm --no-healthcheck marquee --version)"
"${run[@]}" --rm --no-healthcheck marquee demo --shows 50 --countries 2 --out /tmp/demo.ndjson > /dev/null || fail 'a command cannot write into /tmp'
"${run[@]}" --rm --no-healthcheck --entrypoint sh marquee -c 'node server/bin/marquee.js demo --shows 50 --countries 2 | node server/bin/marquee.js import -' > /dev/null ||
  fail 'an import into the volume'
# Health checks are run below: podman would need systemd for a timer.
"${run[@]}" -d --health-interval=disable --name marquee-check marquee > /dev/null 2>&1 || fail "it does not start"
step "running with a read-only root, without capabilities, on a volume"

for _ in $(seq 240); do
  "${podman[@]}" healthcheck run marquee-check > /dev/null 2>&1 && break
  sleep 0.5
done
"${podman[@]}" healthcheck run marquee-check > /dev/null || fail 'the health check'
step 'the health check is green'
[ "$("${podman[@]}" exec marquee-check id -u)" = 1000 ] || fail 'it does not run as the user node'
"${podman[@]}" exec marquee-check sh -c 'touch /marquee/x' 2> /dev/null && fail 'the root can be written to'
step 'user 1000; the root cannot be written to'
curl -sf "http://127.0.0.1:$PORT/readyz" > /dev/null || fail '/readyz'
key=$("${podman[@]}" exec marquee-check node server/bin/marquee.js keys create --plan unlimited 2> /dev/null)
answer=$(curl -sf -H "X-API-Key: $key" "http://127.0.0.1:$PORT/v4/shows/search/filters?country=us")
[[ $answer == *'"shows":[{'* ]] || fail 'a search'
answer=$(curl -sf -H 'Accept: text/html' "http://127.0.0.1:$PORT/")
[[ $answer == *'<script'* ]] || fail 'the pages'
step 'the API and the pages answer'

before=$SECONDS
"${podman[@]}" stop -t $GRACE_SECONDS marquee-check > /dev/null 2>&1
code=$("${podman[@]}" inspect --format '{{.State.ExitCode}}' marquee-check)
[ "$code" = 0 ] || fail "it was stopped with exit code $code"
step "stopped with exit code 0 after $((SECONDS - before)) s of $GRACE_SECONDS s"
