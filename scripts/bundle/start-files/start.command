#!/bin/sh
# Starts SIMS and opens it in the browser. Its records are not in this folder.
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/node/bin/node" "$here/app/dist/server/start-bundle.js" "$@"
