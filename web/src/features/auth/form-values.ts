/** The values of the sign-in page's form. They stay when another step is shown. */
export interface FormValues {
  fullName: string
  email: string
  password: string
}

/** Errors by field; `form` concerns the whole form. */
export interface FormErrors {
  fullName?: string
  email?: string
  password?: string
  /** also marks the password as invalid; the message is at the e-mail field */
  isPasswordMissing?: boolean
  form?: string
  /** an action that helps */
  action?: { label: string; onClick: () => void }
  /** information that is not an error */
  info?: string
}
