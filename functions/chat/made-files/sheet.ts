/** A value of a sheet. */
export type Cell = string | number | boolean | null

export interface Sheet {
  name: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
}
