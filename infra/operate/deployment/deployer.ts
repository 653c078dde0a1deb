/** The side effects of a deployment. */
export interface Deployer {
  readonly print: (text: string) => void
  /** undefined without a terminal */
  readonly ask: ((question: string) => Promise<boolean>) | undefined
  /** asks for a line; undefined without a terminal */
  readonly askText?: ((question: string) => Promise<string>) | undefined
  /** runs a program of Node's with these arguments, and gives its exit code */
  readonly run: (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<number>
}

export interface DeployOptions {
  /** continues despite warnings and wider permissions, without asking */
  readonly yes: boolean
  /** only says what would change */
  readonly dryRun?: boolean
  /** where files of settings are */
  readonly stages?: string
  /** where the CDK writes the cloud assembly */
  readonly assembly?: string
}
