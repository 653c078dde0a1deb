/** What stands in place of the result of a call that the user did not allow. */
export const deniedByUser = 'The user denied this call.'
/** The same for a tool whose connection the user did not renew. */
export const notReconnected = 'The user did not connect it again.'

/** Whether a call was not made because the user did not want it: that is no failure. */
export const isDenied = ({ success, error }: { success: boolean; error?: string | undefined }): boolean =>
  !success && (error === deniedByUser || error === notReconnected)
