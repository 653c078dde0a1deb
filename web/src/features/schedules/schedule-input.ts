import { tabPrefix } from '../../lib/input/inputs.ts'

/** The key of the unsaved form of a schedule (`lib/input/inputs.ts`). @param id absent for a new one */
export const scheduleInputKey = (id = 'new'): string => `${tabPrefix}schedule ${id}`
