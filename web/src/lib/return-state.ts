/** The history state that asks the sign-in page to lead to a path afterwards. */
export interface ReturnState {
  from: string
}
