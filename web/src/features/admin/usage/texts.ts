export const usage = 'Usage'
export const usageHint = 'What replies used in a month (UTC). What they were about is never shown here.'
export const month = 'Month'
export const loading = 'Loading the usage'
export const nothingUsed = 'Nothing was used in this month.'
export const download = 'Download CSV'
export const byUser = 'By user'
export const byGroup = 'By group'
export const byGroupHint = 'A user in several groups counts in each.'
export const total = 'Total'
export const user = 'User'
export const group = 'Group'
export const replies = 'Replies'
export const input = 'Input'
export const output = 'Output'
export const images = 'Images'
export const cost = 'Cost'
export const unknown = '–'
export const showAll = (count: number) => `Show all ${count.toLocaleString('en')}`
export const sortBy = 'Sort by'

// usage-csv
export const csv = {
  kind: 'kind',
  name: 'name',
  id: 'id',
  groups: 'groups',
  replies: 'replies',
  input: 'input_tokens',
  cached: 'cached_input_tokens',
  output: 'output_tokens',
  images: 'images',
  cost: 'cost_usd',
  unpriced: 'unpriced_tokens',
  user: 'user',
  group: 'group',
  total: 'total',
}
