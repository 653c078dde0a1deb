import * as z from 'zod'

/** SHARING of the environment: off, no link is made and none works; those that there are can be listed and revoked. */
export const sharing = z.enum(['on', 'off']).default('on')
