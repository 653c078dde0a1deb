import { plural } from '@lingui/core/macro'

/** Such as "3 rows", in the page's language. */
export const formatRowCount = (count: number) => plural(count, { one: '# row', other: '# rows' })
