import mermaid from 'mermaid'
import { expect, it } from 'vitest'
import { describeFailure } from './diagram/describe-failure.ts'
import { repairSource } from './diagram/repair-source.ts'

const parse = async (source: string) => {
  try {
    await mermaid.parse(source)
    return undefined
  } catch (error) {
    return error
  }
}

it.each([
  [
    'parentheses in a label',
    'graph TD\n  A[Start (now)] --> B[End]',
    'graph TD\n  A["Start (now)"] --> B["End"]',
  ],
  [
    'calls and commas',
    'graph TB\n  E[A(demo)] -->|AA| F[B，test]',
    'graph TB\n  E["A(demo)"] -->|"AA"| F["B，test"]',
  ],
  [
    'a label of an arrow',
    'graph TD\n  A -->|invoke() returns {x}| B',
    'graph TD\n  A -->|"invoke() returns {x}"| B',
  ],
  ['quotes', 'graph TD\n A[Say "hi" now] --> B', 'graph TD\n A["Say #quot;hi#quot; now"] --> B'],
  ['a question', 'graph TD\n A{Is x > 3 (or y)?} --> B', 'graph TD\n A{"Is x > 3 (or y)?"} --> B'],
  [
    'round shapes',
    'graph TD\n A(Call f(x)) --> B((z (w))) --> C([s (t)])',
    'graph TD\n A("Call f(x)") --> B(("z (w)")) --> C(["s (t)"])',
  ],
  [
    'other shapes',
    'graph TD\n A[(Data (all))] --> B[[Part (1)]] --> C{{six (6)}}',
    'graph TD\n A[("Data (all)")] --> B[["Part (1)"]] --> C{{"six (6)"}}',
  ],
  ['a path', 'graph TD\n A[/api/users] --> B[/In (x)/]', 'graph TD\n A["/api/users"] --> B[/"In (x)"/]'],
  ['HTML', 'graph TD\n A[a<br>b (c)] --> B', 'graph TD\n A["a<br>b (c)"] --> B'],
  [
    'brackets within brackets',
    'graph TD\n A[list[0] (first)] --> B',
    'graph TD\n A["list[0] (first)"] --> B',
  ],
  [
    'labels that are quoted already',
    'graph TD\n A["x (y)"] --> B[z (w)]',
    'graph TD\n A["x (y)"] --> B["z (w)"]',
  ],
  ['statements behind the type', 'graph TD; A[x (y)] --> B[z]', 'graph TD; A["x (y)"] --> B["z"]'],
  ['a group', 'graph TD\n subgraph One (two)\n A-->B\n end', 'graph TD\n subgraph "One (two)"\n A-->B\n end'],
  [
    'the label of a group',
    'graph TD\n subgraph S1 [Part (one)]\n A-->B\n end',
    'graph TD\n subgraph S1["Part (one)"]\n A-->B\n end',
  ],
  ['a node named end', 'graph TD\n A[end] --> end', 'graph TD\n A["end"] --> End'],
  ['a label behind the target', 'flowchart TD\n A --> B: label (x)', 'flowchart TD\n A -->|"label (x)"| B'],
  [
    'a colour of a style',
    'graph TD\n A[x (y)]\n classDef a fill:#fff\n class A a\n style A color:rgb(1,2,255)',
    'graph TD\n A["x (y)"]\n classDef a fill:#fff\n class A a\n style A color:#0102ff',
  ],
  [
    'front matter and comments stay',
    '---\ntitle: A[b (c)]\n---\n%% D[e (f)]\ngraph TD\n A[x (y)]',
    '---\ntitle: A[b (c)]\n---\n%% D[e (f)]\ngraph TD\n A["x (y)"]',
  ],
  [
    'a mind map',
    'mindmap\n  root((Main (x)))\n    a[b (c)]',
    'mindmap\n  root(("Main (x)"))\n    a["b (c)"]',
  ],
  [
    'a semicolon in a message',
    'sequenceDiagram\n  A->>B: Hello; there #35; you',
    'sequenceDiagram\n  A->>B: Hello#59; there #35; you',
  ],
  [
    'a semicolon in a note',
    'sequenceDiagram\n  participant E\n  Note over E: No audit; drift accumulates',
    'sequenceDiagram\n  participant E\n  Note over E: No audit#59; drift accumulates',
  ],
  [
    'semicolons in blocks and participants',
    'sequenceDiagram\n  participant A as Agent; main\n  loop retry; up to 3\n  A->>A: x\n  end\n  alt a; b\n  A->>A: x\n  else c; d\n  A->>A: y\n  end',
    'sequenceDiagram\n  participant A as Agent#59; main\n  loop retry#59; up to 3\n  A->>A: x\n  end\n  alt a#59; b\n  A->>A: x\n  else c#59; d\n  A->>A: y\n  end',
  ],
  [
    'colons in notes, states and transitions',
    'stateDiagram-v2\n  [*] --> stale\n  stale: Old: done\n  stale --> new: at 10:30; now\n  note right of stale: Badge: yellow (NEW)\n  class stale a\n  classDef a fill:#fff',
    'stateDiagram-v2\n  [*] --> stale\n  stale: Old#58; done\n  stale --> new: at 10#58;30#59; now\n  note right of stale: Badge#58; yellow (NEW)\n  class stale a\n  classDef a fill:#fff',
  ],
  [
    'comments behind statements',
    'graph TD\n  A[Start] --> B %% a comment\n  B --> C["50%% (x)"] %% (again)',
    'graph TD\n  A["Start"] --> B\n  B --> C["50%% (x)"]',
  ],
  [
    'brackets without a label',
    'graph TD\n  CHECKS[] --> run() --> B[b]',
    'graph TD\n  CHECKS["CHECKS[]"] --> run["run()"] --> B["b"]',
  ],
  [
    'a relation of several words',
    'erDiagram\n  A ||--o{ B : has many',
    'erDiagram\n  A ||--o{ B : "has many"',
  ],
  ['slices', 'pie title Pets\n  Dogs : 3\n  "Cats" : 2', 'pie title Pets\n  "Dogs" : 3\n  "Cats" : 2'],
  [
    'titles of a chart',
    'xychart-beta\n  title 年度营销费用对比\n  x-axis [Jan (x), 2023]\n  y-axis 费用 0 --> 30\n  bar [15, 21]',
    'xychart-beta\n  title "年度营销费用对比"\n  x-axis ["Jan (x)", 2023]\n  y-axis "费用" 0 --> 30\n  bar [15, 21]',
  ],
  [
    'quadrants',
    'quadrantChart\n  x-axis Low (a) --> High\n  quadrant-1 Do (now)\n  Foo (x): [0.3, 0.2]',
    'quadrantChart\n  x-axis "Low (a)" --> "High"\n  quadrant-1 "Do (now)"\n  "Foo (x)" : [0.3, 0.2]',
  ],
])('repairs %s', async (_, source, repaired) => {
  expect(await parse(source)).toBeDefined()
  expect(repairSource(source)).toBe(repaired)
  expect(await parse(repaired)).toBeUndefined()
})

it.each([
  [
    'an arrow to an arrow',
    '---\ntitle: Hi\n---\nflowchart LR\n%% note\n  A[a] --> --> B',
    { line: 6, found: '-->' },
  ],
  ['a statement in the first line', '\n\ngraph TD; A --> --> B', { line: 3, found: '-->' }],
  ['a kind that does not exist', 'graf TD\n A-->B', { isUnknown: true }],
  ['a branch with a blank', 'gitGraph\n  commit id: "a"\n  branch x y', { line: 3, found: 'y' }],
  ['a point outside', 'quadrantChart\n title A\n Foo: [0.3, 2]', { line: 3 }],
  ['a class that is not closed', 'classDiagram\n  class A {\n  +f(x: int)', { line: 3 }],
])('says where %s is', async (_, source, failure) => {
  expect(describeFailure(await parse(source), source)).toEqual(failure)
})

it.each([
  [new TypeError('Failed to fetch dynamically imported module: https://a.example/x.js'), {}],
  [
    new Error('Diagrams beginning with --- are not valid.\nMore'),
    { reason: 'Diagrams beginning with --- are not valid.' },
  ],
  ['text', { reason: '' }],
  [undefined, { reason: '' }],
])('says of %o what is known', (error, failure) => {
  expect(describeFailure(error, 'graph')).toEqual(failure)
})
