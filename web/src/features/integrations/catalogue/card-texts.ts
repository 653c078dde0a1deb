import { plural } from '../../../lib/plural.ts'

// integration-card
export const reconnect = 'Reconnect'
export const cannotConnect = 'Cannot be connected here'
export const moreFeatures = (count: number) => `+${count} more`
export const documentationFor = (name: string) => `Documentation of ${name}`
export const documentation = 'Documentation'
export const disconnectName = (name: string) => `Disconnect ${name}`
export const disconnect = 'Disconnect'
export const refreshName = (name: string) => `Refresh ${name}`
export const refresh = 'Refresh'
export const useOwn = (credentials: string, name: string) => `Use ${credentials.toLowerCase()} for ${name}`
export const publishedBy = (publisher: string) => `Published by ${publisher}`
export const sandboxStored = 'Credentials of the sandbox are stored. Disconnect removes them.'
export const setup = 'Setup ~5 mins'
export const connect = 'Connect'
export const ownApp = 'Own app'
export const ownKey = 'Own key'
export const runsOnComputer = (assistantName: string) =>
  `Runs on your own computer; ${assistantName} can use servers with a web address.`
export const runsLocally = 'Runs locally'

// tool-usage
export const noTools = 'No tools yet'
export const capabilityCount = (count: number) =>
  plural(count, { one: '1 capability', other: `${count} capabilities` })
export const notUsed = 'Not used yet'
export const usedAgo = (count: number, ago: string) =>
  plural(count, { one: `Used once, ${ago}`, other: `Used ${count.toLocaleString()} times, ${ago}` })
export const justNow = 'just now'
