/** The tool that a call names. */
export interface CalledTool {
  tool: string
  /** the server that has the tool; null or undefined for one of the product's own */
  integration?: string | null | undefined
}

/** Whether a call is one of these tools of the product itself. A tool of a server may have the same name. */
export const isOwnTool = ({ tool, integration }: CalledTool, names: readonly string[]): boolean =>
  (integration ?? undefined) === undefined && names.includes(tool)
