/**
 * Names that offices spell in many ways in Latin letters, each with its other spellings, folded. A name that begins with one of
 * them is spelled alike, too: `hussaini`, `yusufzai`. Different names that look alike (Hassan and Hussain, Hamid and Hameed)
 * are not one.
 */
const SPELLINGS: Readonly<Record<string, string>> = {
  abdul: 'abdur abdus abdun abdud abdel abdal',
  ahmad: 'ahmed ahmud',
  akhtar: 'akhter',
  amina: 'aminah ameena ameenah',
  anwar: 'anwer',
  ayesha: 'aisha aysha aesha aishah ayeshah',
  ayub: 'ayyub ayoub ayoob',
  bilal: 'belal bilaal',
  chaudhry: 'chaudhary chaudhri chaudary chaudry choudhry choudhary choudry choudary chowdhury chowdhry',
  dawood: 'dawud daud daood',
  faisal: 'faysal feisal faizal',
  fatima: 'fatimah fatema fathima faatima',
  hafsa: 'hafsah',
  haider: 'haidar hayder haydar hyder',
  hamza: 'hamzah',
  haroon: 'harun haroun',
  hassan: 'hasan',
  hussain: 'husain hussein husein hussayn husayn hossain hossein hosain',
  ibrahim: 'ibraheem ebrahim ebraheem',
  imran: 'emran',
  iqbal: 'eqbal',
  ishaq: 'ishaque ishaaq eshaq',
  ismail: 'ismaeel ismaiel ismail esmail',
  javed: 'javaid jawed jaweed jawaid',
  kareem: 'karim',
  khadija: 'khadijah khadeeja khadeejah',
  khalid: 'khaled',
  mahmood: 'mahmud mahmoud mehmood mehmud',
  malik: 'malek',
  maryam: 'mariam mariyam maryum',
  masood: 'masud masoud',
  muhammad: 'mohammad muhamad mohamad muhammed mohammed muhamed mohamed muhammud mohammud',
  mustafa: 'mustapha mostafa moustafa',
  nadeem: 'nadim',
  naveed: 'navid naweed',
  omar: 'umar umer omer',
  qureshi: 'quraishi qurashi quraeshi qoreshi',
  raheem: 'rahim',
  rahman: 'rehman rahmaan rehmaan',
  saeed: 'sayeed saeid',
  saleem: 'salim',
  sara: 'sarah',
  sheikh: 'shaikh shaykh sheykh',
  siddiqui: 'siddiqi siddique siddiqee',
  suleman: 'sulaiman sulayman sulaman suleiman soleman',
  syed: 'sayed saiyid sayyid sayyed saiyed',
  talha: 'talhah',
  tariq: 'tareq tarique',
  usama: 'osama usamah osamah',
  usman: 'osman uthman othman usmaan',
  waseem: 'wasim',
  yaqub: 'yaqoob yaqoub',
  yasin: 'yaseen yasseen',
  younis: 'younus yunus yunis younas',
  yusuf: 'yousaf yousuf yousef yusaf yusef yousif youssef',
  zahra: 'zehra',
  zainab: 'zaynab zainub zeinab',
  zia: 'ziya',
};

/** Short forms, which other words may begin with: only as whole words. */
const SHORT_FORMS: Readonly<Record<string, string>> = { mohd: 'muhammad', muhd: 'muhammad' };

const CANONICAL = new Map<string, string>();
for (const [name, others] of Object.entries(SPELLINGS))
  for (const spelling of [name, ...others.split(' ')]) CANONICAL.set(spelling, name);

/** The names that a beginning of one of their other spellings may become: `moha` may become `muhammad`. */
const STARTED = new Map<string, Set<string>>();
for (const [spelling, name] of [...CANONICAL, ...Object.entries(SHORT_FORMS)])
  for (let length = 1; length < spelling.length; length += 1) {
    const start = spelling.slice(0, length);
    if (!name.startsWith(start)) STARTED.set(start, (STARTED.get(start) ?? new Set()).add(name));
  }

/** Letters that tell which spellings a word may begin with; no spelling has fewer. */
const START_LENGTH = 3;
/** The spellings by their first letters, the longest first. */
const BY_START = new Map<string, string[]>();
for (const spelling of [...CANONICAL.keys()].toSorted((a, b) => b.length - a.length)) {
  const start = spelling.slice(0, START_LENGTH);
  BY_START.set(start, [...(BY_START.get(start) ?? []), spelling]);
}

/** A folded word with the name it begins with in its one spelling: `mohammad` is `muhammad`, `yousafzai` is `yusufzai`. */
export function foldSpelling(word: string): string {
  const whole = SHORT_FORMS[word];
  if (whole !== undefined) return whole;
  const spelling = BY_START.get(word.slice(0, START_LENGTH))?.find((one) => word.startsWith(one));
  return spelling === undefined ? word : (CANONICAL.get(spelling) ?? '') + word.slice(spelling.length);
}

/**
 * Beginnings that the beginning of a folded word may have after {@link foldSpelling}: for `moham` itself, and `muhammad`.
 * None of them begins with another.
 */
export function startedSpellings(start: string): string[] {
  const folded = foldSpelling(start);
  const others = [...(SHORT_FORMS[start] === undefined ? [] : [start]), ...(STARTED.get(start) ?? [])];
  return [folded, ...others.filter((other) => !other.startsWith(folded))];
}
