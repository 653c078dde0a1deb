import { plural } from '@lingui/core/macro'

export const formatRowCount = (count: number) => plural(count, { one: '# row', other: '# rows' })
