/** Whether an error of the user pool is a refusal, which `sign-in-refusal.ts` reads: each page knows this much of them. */
export const hasRefusal = (message: string): boolean => message.includes(' [code=')
