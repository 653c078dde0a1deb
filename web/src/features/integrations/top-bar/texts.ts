import { plural, t } from '@lingui/core/macro'

// top-bar-integrations
export const tools = t`Tools`
export const toolsHint = t`Connect and manage tools`
export const connectTools = t`Connect Tools`
export const moreInTooltip = (count: number) => t`+${count} more integrations`
export const connectedIntegrations = t`Connected integrations`

// badge-button
export const moreIntegrations = (count: number) =>
  plural(count, { one: '+# more integration', other: `+# more integrations` })

// connection-summary
export const activeCount = (count: number) => t`${count} Active`
export const powerful = t`powerful capabilities`
export const capabilityCount = (count: number) => t`${count} capabilities`
export const attention = t`Attention`
export const active = t({ message: 'Active', context: 'connection' })
