import type { ModelTool } from './model.ts'

/**
 * What models and servers put before the name of a tool: Kimi and gpt-oss `functions.`
 * (https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md), Gemini `default_api:`.
 */
const prefixes = ['function', 'functions', 'tool', 'tools', 'default_api']
const prefix = new RegExp(`^(?:${prefixes.join('|')})[.:/]`)
/** Kimi counts its calls behind the name. */
const suffix = /:\d{1,4}$/

/** Names of tools as servers write them, against those that the request offered. */
export class ToolNames {
  readonly #offered: ReadonlySet<string>

  constructor(tools: readonly ModelTool[]) {
    this.#offered = new Set(tools.map((tool) => tool.function.name))
  }

  /** The offered tool that a name means, however it is written; the name itself if there is none. */
  resolve(name: string): string {
    if (this.#offered.has(name)) return name
    const bare = name.replace(prefix, '').replace(suffix, '')
    return this.#offered.has(bare) ? bare : name
  }

  isOffered(name: string): boolean {
    return this.#offered.has(this.resolve(name))
  }

  /** Whether more may follow: an offered name, or what is put before one, begins so and goes on. */
  mayContinue(name: string): boolean {
    if (prefixes.some((one) => one.startsWith(name))) return true
    const bare = name.replace(prefix, '')
    return [...this.#offered].some((one) => one.length > bare.length && one.startsWith(bare))
  }

  /** Whether an offered name is, or begins with, this one. */
  isBeginning(name: string): boolean {
    return this.#offered.has(this.resolve(name)) || this.mayContinue(name)
  }
}
