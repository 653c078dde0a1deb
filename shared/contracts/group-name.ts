import * as z from 'zod'
import { groupNamePattern, normalizeGroupName } from '#shared/group-names.ts'

const written = z.string().max(200).transform(normalizeGroupName)

/** The name of a group that may exist, also of one that was made at the user pool itself. */
export const groupName = written.pipe(z.string().min(1).max(128))

/**
 * Names are part of URLs, tokens and lists. Limits are stored in an object by the name, and every object has some names already, such as
 * `constructor`.
 */
export const newGroupName = written.pipe(
  z
    .string()
    .regex(groupNamePattern)
    .refine((name) => !(name in {}), 'this name cannot be used'),
)
