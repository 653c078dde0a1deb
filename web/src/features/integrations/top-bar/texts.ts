import { plural } from '../../../lib/plural.ts'

// top-bar-integrations
export const tools = 'Tools'
export const toolsHint = 'Connect and manage tools'
export const connectTools = 'Connect Tools'
export const moreInTooltip = (count: number) => `+${count} more integrations`
export const connectedIntegrations = 'Connected integrations'

// badge-button
export const moreIntegrations = (count: number) =>
  plural(count, { one: '+1 more integration', other: `+${count} more integrations` })

// connection-summary
export const activeCount = (count: number) => `${count} Active`
export const powerful = 'powerful capabilities'
export const capabilityCount = (count: number) => `${count} capabilities`
export const attention = 'Attention'
export const active = 'Active'
