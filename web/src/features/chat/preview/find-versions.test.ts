import { expect, it } from 'vitest'
import { addReplyToArtifacts, findVersions, type Artifact } from './find-versions.ts'
import { readBlocks } from './read-blocks.ts'

const fenced = (language: string, ...lines: string[]) => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\`\n`

/** Turns of a conversation: the request, and the reply's text. */
type Turns = readonly (readonly [string, string])[]

function findArtifacts(turns: Turns): readonly Artifact[] {
  return turns.reduce(
    (artifacts: readonly Artifact[], [request, reply]) =>
      addReplyToArtifacts(artifacts, { blocks: readBlocks(reply), request, readOthers: false }),
    [],
  )
}
const countVersions = (turns: Turns) => findArtifacts(turns).map(({ versions }) => versions.length)

/** What models put around most pages. */
const shell = (body: string, { title = 'Page', lang = 'en', style = '' } = {}) =>
  fenced(
    'html',
    '<!DOCTYPE html>',
    `<html lang="${lang}">`,
    '<head>',
    '<meta charset="UTF-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1.0">',
    `<title>${title}</title>`,
    '<style>',
    'body { font-family: Arial, sans-serif; margin: 0; padding: 20px; background-color: #f0f0f0; }',
    `.container { max-width: 600px; margin: 0 auto; ${style} }`,
    '</style>',
    '</head>',
    `<body><div class="container">${body}</div></body>`,
    '</html>',
  )
const clock =
  '<h1>Clock</h1><p id="t">12:00</p><script>\nconst field = document.getElementById("t")\nsetInterval(() => { field.textContent = new Date().toLocaleTimeString() }, 1000)\n</script>'
const bakery =
  '<nav><a href="#a">Home</a><a href="#b">Prices</a></nav><h1>The bakery</h1><p>We bake bread every morning.</p><ul><li>Rye</li><li>Wheat</li></ul><footer>Open daily</footer>'
const baeckerei =
  '<nav><a href="#a">Start</a><a href="#b">Preise</a></nav><h1>Die Bäckerei</h1><p>Wir backen jeden Morgen.</p><ul><li>Roggen</li><li>Weizen</li></ul><footer>Täglich offen</footer>'
const house =
  '<svg viewBox="0 0 80 80"><rect width="80" height="80" fill="skyblue"/><rect x="20" y="40" width="40" height="30"/><path d="M15 40 L40 20 L65 40"/><circle cx="60" cy="12" r="8"/></svg>'

it.each<[string, Turns]>([
  [
    'another colour',
    [
      ['Make a clock', shell(clock)],
      ['Make it blue', shell(clock, { style: 'color: blue' })],
    ],
  ],
  [
    'another title',
    [
      ['A counter', '```html\n<h1>First title</h1><button onclick="add(this)">0</button>\n```'],
      ['Change the title', '```html\n<h1>Second title</h1><button onclick="add(this)">0</button>\n```'],
    ],
  ],
  [
    'more of it',
    [
      ['Make a clock', shell(clock)],
      ['Add the city', shell(`${clock}<p>Berlin</p>`)],
    ],
  ],
  [
    'a translation of a page',
    [
      ['Make a page of a bakery', shell(bakery)],
      ['Now in German', shell(baeckerei, { lang: 'de', title: 'Seite' })],
    ],
  ],
  [
    'a translation of a small page',
    [
      ['A greeting', shell('<h1>Welcome</h1><p>Come in</p>')],
      ['Auf Deutsch bitte', shell('<h1>Willkommen</h1><p>Komm herein</p>')],
    ],
  ],
  [
    'another design with the same text',
    [
      ['A page of a bakery', shell(bakery)],
      [
        'Use cards',
        shell(
          bakery
            .replaceAll('li>', 'article>')
            .replaceAll('ul>', 'section>')
            .replaceAll('<a ', '<a class="card" '),
        ),
      ],
    ],
  ],
  [
    'new code under the same heading',
    [
      [
        'Snake',
        shell(
          '<h1>Snake</h1><canvas id="a" width="300" height="300"></canvas><p>Score: <b>0</b> Use the arrow keys</p>',
        ),
      ],
      [
        'Rewrite it',
        shell(
          '<header><h1>Snake</h1></header><main><canvas id="game"></canvas><p>Use the arrow keys</p></main>',
        ),
      ],
    ],
  ],
  [
    'the same name',
    [
      ['A clock', fenced('html:clock.html', '<h1>One</h1>')],
      ['All new', fenced('html:clock.html', '<table><tr><td>Two</td></tr></table>')],
    ],
  ],
  [
    'a picture in another colour, with more in it',
    [
      ['Draw a house', fenced('svg', house)],
      [
        'Add a tree',
        fenced(
          'xml',
          house.replace('skyblue', 'navy').replace('</svg>', '<path d="M5 70 L10 50 L15 70"/></svg>'),
        ),
      ],
    ],
  ],
  [
    'a picture that became a page',
    [
      ['Draw a house', fenced('svg', house)],
      [
        'Let the sun move',
        fenced(
          'html',
          '<!doctype html><body>',
          house,
          '<script>move(document.querySelector("circle"))</script>',
        ),
      ],
    ],
  ],
  [
    'a table with more rows',
    [
      ['A table', fenced('csv', 'Town,People', 'Rome,3', 'Oslo,1')],
      ['And Paris', fenced('csv', 'Town,People', 'Rome,3', 'Oslo,1', 'Paris,2')],
    ],
  ],
  [
    'a table in another language',
    [
      [
        'A table',
        fenced(
          'csv',
          'Town,People,Area',
          'Rome,2748109,1287',
          'Vienna,2028399,415',
          'Munich,1510378,311',
          'Milan,1371498,182',
        ),
      ],
      [
        'Auf Deutsch',
        fenced(
          'csv',
          'Stadt;Einwohner;Fläche',
          'Rom;2748109;1287',
          'Wien;2028399;415',
          'München;1510378;311',
          'Mailand;1371498;182',
        ),
      ],
    ],
  ],
  [
    'a text with a paragraph more',
    [
      [
        'A plan',
        fenced('md', '# Plan', '', 'We begin with the roof of the house.', '', 'Then we paint the walls.'),
      ],
      [
        'More',
        fenced(
          'md',
          '# Plan',
          '',
          'We begin with the roof of the house.',
          '',
          'Then we paint the walls.',
          '',
          'At last we plant a tree.',
        ),
      ],
    ],
  ],
  [
    'a diagram with a step more',
    [
      [
        'A diagram',
        fenced('mermaid', 'flowchart LR', '  ask[Ask] --> read[Read]', '  read --> answer[Answer]'),
      ],
      [
        'Add one',
        fenced(
          'mermaid',
          'flowchart LR',
          '  ask[Ask] --> read[Read]',
          '  read --> answer[Answer]',
          '  answer --> send[Send]',
        ),
      ],
    ],
  ],
  [
    'a translated diagram',
    [
      [
        'A diagram',
        fenced(
          'mermaid',
          'flowchart TD',
          '  A[Start] --> B{Ready?}',
          '  B -->|Yes| C[Go]',
          '  B -->|No| D[Wait]',
          '  D --> B',
        ),
      ],
      [
        'Auf Deutsch',
        fenced(
          'mermaid',
          'flowchart TD',
          '  A[Anfang] --> B{Bereit?}',
          '  B -->|Ja| C[Los]',
          '  B -->|Nein| D[Warten]',
          '  D --> B',
        ),
      ],
    ],
  ],
])('%s is a version', (_, turns) => {
  expect(countVersions(turns)).toEqual([2])
})

it.each<[string, Turns]>([
  [
    'pages that share what all pages have',
    [
      ['A clock', shell('<h1>Clock</h1><p id="t">12:00</p>')],
      ['A list', shell('<h1>Shopping list</h1><ul><li>Milk</li></ul>')],
    ],
  ],
  [
    'pages of the same few elements',
    [
      ['A clock page', shell('<h1>Clock</h1><p>12:00</p>')],
      ['A page for my shopping', shell('<h1>Shopping</h1><p>Milk</p>')],
    ],
  ],
  [
    'games with the usual lines',
    [
      [
        'Snake',
        shell(
          '<h1>Snake</h1><canvas id="c"></canvas><script>\nconst canvas = document.getElementById("c")\nconst context = canvas.getContext("2d")\nlet snake = [[3, 4]]\nfunction eat(apple) { snake.push(apple) }\nsetInterval(moveSnake, 90)\n</script>',
        ),
      ],
      [
        'Now Tetris',
        shell(
          '<h1>Tetris</h1><canvas id="c"></canvas><script>\nconst canvas = document.getElementById("c")\nconst context = canvas.getContext("2d")\nconst pieces = ["I", "O", "T"]\nfunction rotate(piece) { return piece.reverse() }\nsetInterval(dropPiece, 500)\nlet level = 1\n</script>',
        ),
      ],
    ],
  ],
  [
    'files of other names',
    [
      ['A clock', fenced('html:clock.html', '<h1>Time</h1>')],
      ['An alarm', fenced('html:alarm.html', '<h1>Time</h1>')],
    ],
  ],
  [
    'pictures on the same background',
    [
      ['A house', fenced('svg', house)],
      [
        'A fish',
        fenced(
          'svg',
          '<svg viewBox="0 0 80 80"><rect width="80" height="80" fill="skyblue"/><ellipse cx="40" cy="40" rx="20" ry="9"/><path d="M60 40 L75 30 L75 50 Z"/></svg>',
        ),
      ],
    ],
  ],
  [
    'tables with the same headings',
    [
      ['Fruit', fenced('csv', 'Name,Price', 'Apple,1', 'Pear,2')],
      ['Tools', fenced('csv', 'Name,Price', 'Hammer,10', 'Saw,2')],
    ],
  ],
  [
    'texts of the same frame',
    [
      [
        'A recipe',
        fenced('md', '# Bread', '', '## Introduction', '', 'Knead the dough and wait for an hour.'),
      ],
      [
        'A report',
        fenced('md', '# Traffic', '', '## Introduction', '', 'The number of cars has grown again.'),
      ],
    ],
  ],
  [
    'diagrams with the same letters',
    [
      [
        'How to make tea',
        fenced('mermaid', 'graph TD', '  A[Boil water] --> B[Add leaves]', '  B --> C[Wait]'),
      ],
      [
        'The water cycle',
        fenced(
          'mermaid',
          'graph TD',
          '  A[Sea] --> B[Clouds]',
          '  B --> C[Rain over mountains]',
          '  C --> A',
        ),
      ],
    ],
  ],
  ['blocks of one reply', [['Two clocks', shell(clock) + shell(clock, { style: 'color: red' })]]],
  [
    'kinds',
    [
      ['A table', fenced('csv', 'Town,People', 'Rome,3')],
      ['As text', fenced('md', 'Town,People', 'Rome,3')],
    ],
  ],
])('%s are no versions of each other', (_, turns) => {
  expect(countVersions(turns)).toEqual([1, 1])
})

it('each page of a site has its own versions', () => {
  const site = (word: string) =>
    fenced('html:index.html', `<nav>Home</nav><h1>Start</h1><p>${word} here we begin with everything</p>`) +
    fenced('html:about.html', `<nav>Home</nav><h1>About</h1><p>${word} people of the house who work here</p>`)
  expect(
    findArtifacts([
      ['A site', site('The')],
      ['Again', site('Our')],
    ]).map(({ versions }) => versions.map(({ filename }) => filename)),
  ).toEqual([
    ['index.html', 'index.html'],
    ['about.html', 'about.html'],
  ])
})

it('a reply with one file of a page is a version of it', () => {
  const page = fenced('html', '<link rel="stylesheet" href="style.css"><p>Hi</p>')
  const turns: Turns = [
    ['A page', page + fenced('css:style.css', 'p { color: red }')],
    ['How do I center?', fenced('css', 'p { text-align: center }')],
    ['Make it blue', fenced('css:style.css', 'p { color: blue }')],
    ['And p?', fenced('css:style.css', 'p {}')],
  ]
  const [artifact, ...others] = findArtifacts(turns)
  expect([artifact?.versions.map(({ content }) => /color: \w+/.exec(content)?.[0]), others]).toEqual([
    ['color: red', 'color: blue'],
    [],
  ])
})

it('what is not known of one file is not known of its page', () => {
  const add = (artifacts: readonly Artifact[], text: string, readOthers?: boolean) =>
    addReplyToArtifacts(artifacts, {
      blocks: readBlocks(text),
      request: '',
      ...(readOthers !== undefined && { readOthers }),
    })
  const first = add(
    [],
    fenced('html', '<link rel="stylesheet" href="a.css">') + fenced('css:a.css', 'a {}'),
    false,
  )
  const known = [undefined, false, true].map(
    (readOthers) => add(first, fenced('css:a.css', 'b {}'), readOthers)[0]?.versions.at(-1)?.readOthers,
  )
  expect(known).toEqual([undefined, false, true])
})

it('equal versions are one, and one that comes back is the newest', () => {
  const html = (text: string) => `<h1>Clock</h1><p>${text} of the day</p>`
  const artifacts = findArtifacts(
    ['One', 'Two', 'One'].map((text) => ['', fenced('html', html(text))] as const),
  )
  expect(findVersions(artifacts, { kind: 'html', code: html('One') }).map(({ content }) => content)).toEqual([
    html('Two'),
    html('One'),
  ])
})

it('finds the block that has grown since it was opened', () => {
  const artifacts = findArtifacts([
    ['', fenced('html', '<b>x</b>')],
    ['', fenced('html', '<h1>Clock</h1>')],
  ])
  const find = (code: string) => findVersions(artifacts, { kind: 'html', code }).map(({ content }) => content)
  expect(find('<h1>Clo')).toEqual(['<h1>Clock</h1>'])
  expect(find('<i>')).toEqual(['<i>'])
})

it('a version is known while it is written, and its files join it at its end', () => {
  const artifacts = findArtifacts([['A clock', shell(clock)]])
  const reply = shell(clock.replace('1000', '500')).slice(0, -30)
  const streamed = addReplyToArtifacts(artifacts, {
    blocks: readBlocks(reply).map((block) => ({ ...block, isComplete: false })),
    request: 'Faster',
    isStreaming: true,
  })
  expect(streamed.map(({ versions }) => versions.length)).toEqual([2])
})
