import { plural } from '../../../lib/plural.ts'

// groups-section
export const groups = 'Groups'
export const groupsHint =
  'A group says what its members may use. Somebody in several groups has the most generous value of each limit.'
export const newGroup = 'New group'
export const loading = 'Loading the groups'
export const noGroups = 'No groups yet. Without one, everybody has the limits of the installation.'
export const members = (count: number | null) =>
  count === null
    ? 'Many members'
    : plural(count, { one: '1 member', other: `${count.toLocaleString()} members` })
export const limitsFor = (name: string) => `Limits of ${name}`
export const edit = 'Edit'
export const editGroup = (name: string) => `Edit ${name}`
export const deleteGroup = 'Delete'
export const deleteNamed = (name: string) => `Delete ${name}`
export const deleteTitle = 'Delete this group?'
export const deleteHint = (name: string, members: string) =>
  `“${name}” (${members}) and its limits are removed. Its members stay users, with the limits of their other groups or of the installation.`

// group-dialog
export const createTitle = 'New group'
export const editTitle = (name: string) => `Group “${name}”`
export const create = 'Create group'
export const save = 'Save'
export const name = 'Name'
export const nameHint = 'Letters, digits, - and _. It cannot be changed later.'
export const nameProblem = 'Please use 1 to 64 letters, digits, - and _.'
export const description = 'Description'
export const changed = (limits: string) =>
  `Somebody else has changed this group meanwhile. It now says: ${limits} Save again to replace that, or use the newer version.`
export const useNewer = 'Use the newer version'
export const describedAs = (description: string, limits: readonly string[]) =>
  [description, limits.join(', ')]
    .map((part) => part.trim().replace(/[.]$/, ''))
    .filter(Boolean)
    .join('; ') + '.'
export const noLimits = 'no limits of its own'

// limits-form
export const limits = 'Limits'
export const limitsHint = 'Leave a field empty to use the installation’s limit. 0 allows nothing.'
export const fields = {
  tokens_per_day: { label: 'Tokens a day', unit: 'tokens' },
  tokens_per_month: { label: 'Tokens a month', unit: 'tokens' },
  cost_per_day: { label: 'Cost a day', unit: 'USD' },
  cost_per_month: { label: 'Cost a month', unit: 'USD' },
  images_per_day: { label: 'Generated images a day', unit: 'images' },
  uploads_per_day: { label: 'Uploads a day', unit: 'files' },
  storage_gb: { label: 'Stored files', unit: 'GB' },
}
export const pricedOnly = 'Members can then use only models with a known price.'
export const noPricedModel =
  'None of the models that members may choose has a known price, so a limit of costs leaves them without any model. An operator sets prices in the list of models.'
export const wholeNumber = 'Please enter a whole number, such as 50000, or nothing.'
export const decimalNumber = 'Please enter a number, such as 2.50, or nothing.'
export const models = 'Models'
export const allModels = 'All models'
export const onlyThese = 'Only these'
export const chooseModels = 'Models that members may choose'
export const unknownModel = 'No longer offered'
export const tools = 'Tools'
export const toolChoices = {
  default: 'Installation default',
  all: 'All tools',
  catalogue: 'Catalogue only, no custom tools',
  built_in: 'Built-in integrations only',
  none: 'No tools',
}
export const twoFactor = 'Two-factor'
export const twoFactorChoices = {
  default: 'Installation default',
  required: 'Required',
  optional: 'Optional in this group',
}
