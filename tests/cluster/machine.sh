#!/bin/sh
# A database machine: the first process of its own process, network and mount namespaces. When it is killed, all processes
# of the machine end and its network disappears, as in a power cut. The working directory serves as its disk.
set -eu
# Each boot starts with other process IDs, as on a real machine: PostgreSQL does not start if another process has the ID
# that it had before.
echo $((BOOT * 1000)) >/proc/sys/kernel/ns_last_pid

ip link set lo up
until ip link show eth0 >/dev/null 2>&1; do sleep 0.05; done
ip address add "$ADDRESS/24" dev eth0
ip link set eth0 up
# Fixed hardware addresses, no ARP: packets sent into a cut network then get no reply, not even an error.
for neighbour in $NEIGHBOURS; do
  ip neighbour replace "${neighbour%=*}" lladdr "${neighbour#*=}" nud permanent dev eth0
done

mkdir -p /run/postgresql
mount -t tmpfs -o mode=777 tmpfs /run/postgresql
as_postgres='setpriv --reuid=postgres --regid=postgres --init-groups --inh-caps=-all'
$as_postgres etcd >>etcd.log 2>&1 &
$as_postgres patroni "$PATRONI_FILE" >>patroni.log 2>&1 &
wait
