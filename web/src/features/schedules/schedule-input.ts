import { tabPrefix } from '../../lib/inputs.ts'

/** Where what is entered for a schedule is until it is saved. @param id absent for a new one */
export const scheduleInputKey = (id = 'new'): string => `${tabPrefix}schedule ${id}`
