import { plural, t } from '@lingui/core/macro'

// groups-section
export const groups = t`Groups`
export const groupsHint = t`A group says what its members may use. Somebody in several groups has the most generous value of each limit.`
export const newGroup = t`New group`
export const loading = t`Loading the groups`
export const noGroups = t`No groups yet. Without one, everybody has the limits of the installation.`
export const members = (count: number | null) =>
  count === null ? t`Many members` : plural(count, { one: '# member', other: `# members` })
export const limitsFor = (name: string) => t`Limits of ${name}`
export const edit = t`Edit`
export const editGroup = (name: string) => t`Edit ${name}`
export const deleteGroup = t`Delete`
export const deleteNamed = (name: string) => t`Delete ${name}`
export const deleteTitle = t`Delete this group?`
export const deleteHint = (name: string, members: string) =>
  t`“${name}” (${members}) and its limits are removed. Its members stay users, with the limits of their other groups or of the installation.`

// group-dialog
export const createTitle = t`New group`
export const editTitle = (name: string) => t`Group “${name}”`
export const create = t`Create group`
export const save = t`Save`
export const name = t`Name`
export const nameHint = t`Letters, digits, - and _. It cannot be changed later.`
export const nameProblem = t`Please use 1 to 64 letters, digits, - and _.`
export const description = t`Description`
export const changed = (limits: string) =>
  t`Somebody else has changed this group meanwhile. It now says: ${limits} Save again to replace that, or use the newer version.`
export const useNewer = t`Use the newer version`
export const describedAs = (description: string, limits: readonly string[]) =>
  [description, limits.join(', ')]
    .map((part) => part.trim().replace(/[.]$/, ''))
    .filter(Boolean)
    .join('; ') + '.'
export const noLimits = t`no limits of its own`

// limits-form
export const limits = t`Limits`
export const limitsHint = t`Leave a field empty to use the installation’s limit. 0 allows nothing.`
export const fields = {
  tokens_per_day: { label: t`Tokens a day`, unit: t`tokens` },
  tokens_per_month: { label: t`Tokens a month`, unit: t`tokens` },
  cost_per_day: { label: t`Cost a day`, unit: 'USD' },
  cost_per_month: { label: t`Cost a month`, unit: 'USD' },
  images_per_day: { label: t`Generated images a day`, unit: t`images` },
  uploads_per_day: { label: t`Uploads a day`, unit: t`files` },
  storage_gb: { label: t`Stored files`, unit: 'GB' },
}
export const pricedOnly = t`Members can then use only models with a known price.`
export const noPricedModel = t`None of the models that members may choose has a known price, so a limit of costs leaves them without any model. An operator sets prices in the list of models.`
export const wholeNumber = t`Please enter a whole number, such as 50000, or nothing.`
export const decimalNumber = t`Please enter a number, such as 2.50, or nothing.`
export const models = t`Models`
export const allModels = t`All models`
export const onlyThese = t`Only these`
export const chooseModels = t`Models that members may choose`
export const unknownModel = t`No longer offered`
export const tools = t`Tools`
export const toolChoices = {
  default: t`Installation default`,
  all: t`All tools`,
  catalogue: t`Catalogue only, no custom tools`,
  built_in: t`Built-in integrations only`,
  none: t`No tools`,
}
export const twoFactor = t`Two-factor`
export const twoFactorChoices = {
  default: t`Installation default`,
  required: t`Required`,
  optional: t`Optional in this group`,
}
