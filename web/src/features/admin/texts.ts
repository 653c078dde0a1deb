import { plural } from '../../lib/plural.ts'

// admin-page
export const administration = 'Administration'
export const subtitle = 'Who can use this installation, and how much'
export const sections = 'Sections of the administration'
export const users = 'Users'
export const invitations = 'Invitations'
export const groups = 'Groups'
export const apps = 'Apps'
export const usage = 'Usage'
export const log = 'Log'
export const roleLost = 'You are no longer an administrator'
export const roleLostHint = 'Another administrator has changed your groups.'
export const unknownPage = 'This page of the administration does not exist.'

// several sections
export const notLoaded = 'The list could not be loaded.'
export const moreNotLoaded = 'More could not be loaded.'
export const loadMore = 'Load more'
export const noGroups = 'No groups'
export const groupsLegend = 'Groups'
export const groupsNotLoaded = 'The groups could not be loaded.'
export const adminsHint = 'Can do everything in the administration'

// describe-limits
export const noOwnLimits = 'Installation defaults'
export const noModels = 'No models'
export const models = (names: string) => `Models: ${names}`
export const tokensPerDay = (count: string) => `${count} tokens a day`
export const tokensPerMonth = (count: string) => `${count} tokens a month`
export const costPerDay = (amount: string) => `${amount} a day`
export const costPerMonth = (amount: string) => `${amount} a month`
export const imagesPerDay = (count: number) =>
  count === 0
    ? 'No images'
    : plural(count, { one: '1 image a day', other: `${count.toLocaleString()} images a day` })
export const uploadsPerDay = (count: number) =>
  count === 0
    ? 'No uploads'
    : plural(count, { one: '1 upload a day', other: `${count.toLocaleString()} uploads a day` })
export const storage = (size: string) => `${size} GB of files`
export const toolsAllowed = {
  all: 'All tools',
  catalogue: 'No custom tools',
  built_in: 'Built-in integrations only',
  none: 'No tools',
}
export const twoFactorRequired = 'Two-factor required'
export const twoFactorNotRequired = 'Two-factor optional'
