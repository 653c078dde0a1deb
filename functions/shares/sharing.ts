import * as z from 'zod'

/** The variable SHARING. If it is off, no links can be created or opened; existing links can be listed and revoked. */
export const sharing = z.enum(['on', 'off']).default('on')
