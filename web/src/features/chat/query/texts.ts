import { plural } from '@lingui/core/macro'

export const rows = (count: number) => plural(count, { one: '# row', other: '# rows' })
