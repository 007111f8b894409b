/** The field may hold any text; only a picture that this server keeps is fetched and drawn. */
export const portraitPath = (img: string | null) => (img?.startsWith('/api/pictures/') ? img : null);
