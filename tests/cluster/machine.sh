#!/bin/sh
# A database machine: the first process of its own process, network and mount namespaces. When it is killed, everything
# on the machine ends at once and its network is gone, as in a power cut; the folder it was started in is its disk.
set -eu
# Process numbers go on over a restart, as on a real machine: a server that finds its old one taken would not start.
echo $((BOOT * 1000)) >/proc/sys/kernel/ns_last_pid

ip link set lo up
until ip link show eth0 >/dev/null 2>&1; do sleep 0.05; done
ip address add "$ADDRESS/24" dev eth0
ip link set eth0 up
# Without asking who has an address, so that what is sent into a cut network is not answered at all.
for neighbour in $NEIGHBOURS; do
  ip neighbour replace "${neighbour%=*}" lladdr "${neighbour#*=}" nud permanent dev eth0
done

mkdir -p /run/postgresql
mount -t tmpfs -o mode=777 tmpfs /run/postgresql
as_postgres='setpriv --reuid=postgres --regid=postgres --init-groups --inh-caps=-all'
$as_postgres etcd >>etcd.log 2>&1 &
$as_postgres patroni "$PATRONI_FILE" >>patroni.log 2>&1 &
wait
