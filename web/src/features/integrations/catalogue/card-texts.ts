import { plural, t } from '@lingui/core/macro'

// integration-card
export const reconnect = t`Reconnect`
export const actionFor = (action: string, name: string) => t`${action} ${name}`
export const cannotConnect = t`Cannot be connected here`
export const moreFeatures = (count: number) => t`+${count} more`
export const documentationFor = (name: string) => t`Documentation of ${name}`
export const documentation = t`Documentation`
export const disconnectName = (name: string) => t`Disconnect ${name}`
export const disconnect = t`Disconnect`
export const refreshName = (name: string) => t`Refresh ${name}`
export const refresh = t`Refresh`
export const useOwnApp = (name: string) => t`Use own app for ${name}`
export const useOwnKey = (name: string) => t`Use own key for ${name}`
export const publishedBy = (publisher: string) => t`Published by ${publisher}`
export const sandboxStored = t`Credentials of the sandbox are stored. Disconnect removes them.`
export const setup = t`Setup ~5 mins`
export const connect = t`Connect`
export const ownApp = t`Own app`
export const ownKey = t`Own key`
export const runsOnComputer = (assistantName: string) =>
  t`Runs on your own computer; ${assistantName} can use servers with a web address.`
export const runsLocally = t`Runs locally`

// tool-usage
export const noTools = t`No tools yet`
export const capabilityCount = (count: number) =>
  plural(count, { one: '# capability', other: `# capabilities` })
export const notUsed = t`Not used yet`
export const usedAgo = (count: number, ago: string) =>
  plural(count, { 1: `Used once, ${ago}`, other: `Used # times, ${ago}` })
export const justNow = t`just now`
