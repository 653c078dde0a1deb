import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Everything of IPv4 that is not the public internet, from IANA's registry of special-purpose addresses. */
const forbiddenV4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, the cloud's metadata service among it
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast among it
] as const)
  forbiddenV4.addSubnet(network, prefix, 'ipv4')

/** Only global unicast is public in IPv6: loopback, mapped, NAT64, unique local, link-local and multicast are outside it. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')

/** Ranges of global unicast that are not public, or embed an IPv4 address. */
const forbiddenV6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const)
  forbiddenV6.addSubnet(network, prefix, 'ipv6')

/**
 * Whether the product must not call an address for users.
 * @param address an IP address as resolvers and URLs give it, without brackets; anything else is forbidden
 */
export function isForbiddenAddress(address: string): boolean {
  if (isIPv4(address)) return forbiddenV4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return true
  return !publicV6.check(address, 'ipv6') || forbiddenV6.check(address, 'ipv6')
}
