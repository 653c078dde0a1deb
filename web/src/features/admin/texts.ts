import { plural, t } from '@lingui/core/macro'

// admin-page
export const administration = t`Administration`
export const subtitle = t`Who can use this installation, and how much`
export const sections = t`Sections of the administration`
export const users = t`Users`
export const invitations = t`Invitations`
export const groups = t`Groups`
export const apps = t`Apps`
export const usage = t`Usage`
export const log = t`Log`
export const roleLost = t`You are no longer an administrator`
export const roleLostHint = t`Another administrator has changed your groups.`
export const unknownPage = t`This page of the administration does not exist.`

// several sections
export const noGroups = t`No groups`
export const groupsLegend = t`Groups`
export const loadingGroups = t`Loading the groups`
export const groupsNotLoaded = t`The groups could not be loaded.`
export const adminsHint = t`Can do everything in the administration`

// describe-limits
export const noOwnLimits = t`Installation defaults`
export const noModels = t`No models`
export const models = (names: string) => t`Models: ${names}`
export const tokensPerDay = (count: string) => t`${count} tokens a day`
export const tokensPerMonth = (count: string) => t`${count} tokens a month`
export const costPerDay = (amount: string) => t`${amount} a day`
export const costPerMonth = (amount: string) => t`${amount} a month`
export const imagesPerDay = (count: number) =>
  count === 0 ? t`No images` : plural(count, { one: '# image a day', other: `# images a day` })
export const uploadsPerDay = (count: number) =>
  count === 0 ? t`No uploads` : plural(count, { one: '# upload a day', other: `# uploads a day` })
export const storage = (size: string) => t`${size} GB of files`
export const toolsAllowed = {
  all: t`All tools`,
  catalogue: t`No custom tools`,
  built_in: t`Built-in integrations only`,
  none: t`No tools`,
}
export const twoFactorRequired = t`Two-factor required`
export const twoFactorNotRequired = t`Two-factor optional`
