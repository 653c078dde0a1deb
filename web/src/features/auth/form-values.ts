/** The values of the sign-in page's form. They stay when another step is shown. */
export interface FormValues {
  fullName: string
  email: string
  password: string
}

/** What the form says: errors by field, and above the fields the error of the whole `form`, an action and an information. */
export interface FormErrors {
  fullName?: string
  email?: string
  password?: string
  /** marks the password as invalid, too; the message is at the e-mail field */
  isPasswordMissing?: boolean
  form?: string
  /** what failed, if `form` is about a failure */
  cause?: unknown
  /** an action that helps */
  action?: { label: string; onClick: () => void }
  /** information that is not an error */
  info?: string
}
