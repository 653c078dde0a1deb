import { createHash } from 'node:crypto'

/** Names the owner of links for counting, in the rows that readers of a link cause; it is not shown. */
export const hashOwner = (sub: string) => createHash('sha256').update(`owner|${sub}`).digest('base64url')
