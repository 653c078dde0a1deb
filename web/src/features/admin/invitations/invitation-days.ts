/** For how many days an invitation can be valid. */
export const dayChoices = [1, 3, 7, 14, 30, 90] as const
/** For how many days an invitation is valid unless another number was chosen. */
export const defaultDays = 7
