/* The names of generated people, roughly by how common they are: `Random.pickSkewed` prefers the first ones. */

const listed = (text: string): readonly [string, ...string[]] => {
  const [first = '', ...others] = text.trim().split(/,\s*/);
  return [first, ...others];
};

export const FIRST_NAMES_F = listed(`
  Fatima, Ayesha, Maryam, Zainab, Khadija, Hareem, Mahnoor, Sania, Hina, Iqra, Sana, Amna, Rabia, Sidra, Saima, Noor,
  Areeba, Aleena, Laiba, Komal, Anaya, Parveen, Nimra, Mehwish, Sehrish, Fizza, Eshal, Dua, Noor-ul-Huda, Tsering,
  Aiman, Alishba, Alina, Aliya, Amara, Ambreen, Anam, Andleeb, Aneela, Anila, Anum, Aqsa, Arifa, Arooj, Asma, Asiya,
  Atiqa, Atiya, Ayeza, Azra, Bano, Batool, Beenish, Benazir, Bisma, Bushra, Dania, Dilshad, Eman, Erum, Faiza, Falak,
  Farah, Fareeha, Farhat, Farida, Farzana, Fauzia, Fehmida, Firdous, Fouzia, Ghazala, Gul Rukh, Gulnaz, Habiba, Hadia,
  Hafsa, Haiqa, Hajra, Haleema, Haniya, Hanifa, Haseena, Hifza, Hira, Humaira, Huma, Husna, Iffat, Ifrah, Inaya, Insha,
  Irum, Isra, Javeria, Jamila, Jannat, Kaneez, Kanwal, Kashaf, Kausar, Khalida, Khansa, Kinza, Kiran, Kulsoom, Lubna,
  Laraib, Maha, Maheen, Mahira, Maimoona, Maira, Malaika, Maleeha, Maria, Marium, Mehak, Mehreen, Memoona, Minahil,
  Mishal, Misbah, Momina, Mubeen, Mubashira, Munazza, Muneeba, Musarrat, Muskan, Nabeela, Nadia, Naheed, Naila, Najma,
  Nargis, Naseem, Nashwa, Nasreen, Natasha, Nausheen, Nayab, Nazia, Nazish, Neelam, Neha, Nida, Nighat, Noreen, Nosheen,
  Nusrat, Palwasha, Pakeeza, Quratulain, Qudsia, Rafia, Rahat, Rameen, Ramsha, Rashida, Razia, Rehana, Rida, Rifat,
  Rimsha, Riffat, Robina, Rozina, Rubab, Rubina, Rukhsana, Rukhsar, Ruqayya, Saadia, Saba, Sabahat, Sabeen, Sabiha,
  Sabina, Sadaf, Sadia, Safia, Saher, Saira, Sajida, Sakina, Saleha, Salma, Samia, Samina, Samra, Sanam, Saniya, Sara,
  Sarwat, Sawera, Sehar, Shabana, Shafaq, Shagufta, Shaheen, Shahida, Shahnaz, Shaista, Shakeela, Shama, Shamim,
  Shazia, Sheeba, Shehla, Shireen, Shumaila, Sobia, Sofia, Sonia, Soomal, Sumaira, Sumbal, Summaya, Sundas, Suraiya,
  Tabassum, Tahira, Tahmina, Talat, Tanzeela, Tasneem, Tayyaba, Tehreem, Tooba, Ujala, Ulfat, Umaima, Umm-e-Habiba,
  Unaiza, Urooj, Urwa, Uzma, Wajiha, Wania, Warda, Yasmin, Yumna, Yusra, Zahida, Zahra, Zakia, Zara, Zarmina, Zeb,
  Zeenat, Zehra, Zobia, Zohra, Zoya, Zubaida, Zulekha, Zunaira, Palvasha, Roshan, Mariam, Grace, Mehr, Sunita, Kavita,
  Pooja, Rukmani, Stella, Shumila, Marvi, Sassui, Bakhtawar, Gulalai, Spogmai, Durkhanai, Zarghuna, Hurmat, Banari
`);

export const FIRST_NAMES_M = listed(`
  Muhammad, Ahmed, Ali, Hamza, Bilal, Usman, Hassan, Abdullah, Umar, Saad, Talha, Asad, Zubair, Haris, Farhan, Junaid,
  Waleed, Danish, Faraz, Karim, Rohan, Taimoor, Ishaq, Gulraiz, Shahmeer, Moiz, Sameer, Yasir, Syed Muhammad Abdullah,
  Aamir, Aasim, Abbas, Abdul Basit, Abdul Ghaffar, Abdul Hadi, Abdul Haseeb, Abdul Jabbar, Abdul Karim, Abdul Majeed,
  Abdul Moeed, Abdul Qadir, Abdul Rafay, Abdul Rauf, Abdul Rehman, Abdul Samad, Abdul Sattar, Abdul Wahab, Abid,
  Abrar, Adeel, Adil, Adnan, Afaq, Afzal, Agha, Ahad, Ahsan, Aijaz, Ajmal, Akbar, Akhtar, Akmal, Akram, Alam, Aleem,
  Altaf, Amanullah, Amin, Amjad, Ammar, Anas, Anees, Ansar, Anwar, Aqeel, Aqib, Arbaz, Arham, Arif, Arsal, Arsalan,
  Arshad, Arslan, Ashfaq, Ashraf, Asghar, Asif, Aslam, Atif, Atta, Awais, Ayaan, Ayaz, Ayub, Azam, Azeem, Azhar, Aziz,
  Babar, Badar, Bakhtiar, Baqir, Basharat, Basit, Behram, Burhan, Daniyal, Danyal, Daud, Dawood, Dilawar, Ehsan,
  Ehtisham, Fahad, Faheem, Fahim, Faisal, Faizan, Fakhar, Farid, Farooq, Farrukh, Fawad, Fayyaz, Fazal, Feroz, Fida,
  Furqan, Ghazanfar, Ghulam Abbas, Ghulam Mustafa, Ghulam Rasool, Gohar, Gul Khan, Habib, Hafeez, Haider, Haji, Hamid,
  Hammad, Hanif, Hanzala, Haroon, Hasan, Haseeb, Hashim, Hashir, Hidayat, Huzaifa, Hussain, Ibrahim, Idrees, Iftikhar,
  Ihsan, Ijaz, Ikram, Ilyas, Imad, Imdad, Imran, Imtiaz, Inam, Inayat, Intizar, Iqbal, Irfan, Irshad, Ishtiaq, Ismail,
  Israr, Izhar, Jabir, Jahangir, Jamal, Jameel, Jamshed, Javed, Jawad, Jibran, Kaleem, Kamal, Kamran, Kashif, Kazim,
  Khadim, Khalid, Khalil, Khizar, Khurram, Khushal, Laiq, Liaquat, Luqman, Maaz, Mahmood, Majid, Manzoor, Maqbool,
  Maqsood, Maroof, Masood, Mazhar, Mehboob, Mehdi, Mehran, Mir, Moazzam, Mohsin, Mubashir, Mudassar, Mueen, Mujahid,
  Mujtaba, Mukhtar, Mumtaz, Muneeb, Munir, Murad, Murtaza, Musa, Musab, Mushtaq, Mustafa, Muzaffar, Muzammil, Nabeel,
  Nadeem, Naeem, Najam, Naqi, Naseer, Nasir, Naveed, Nawaz, Nazir, Niaz, Nisar, Noman, Noor, Numan, Obaid, Omair,
  Osama, Owais, Parvez, Pervaiz, Qadeer, Qaiser, Qamar, Qasim, Rafiq, Raheel, Rahim, Raja, Rameez, Rana, Rashid, Rauf,
  Raza, Rehan, Rehman, Riaz, Rizwan, Rohail, Roshan, Saadat, Sabir, Sadiq, Saeed, Safdar, Saffan, Sagheer, Sahil,
  Saif, Saifullah, Sajid, Sajjad, Salahuddin, Saleem, Salman, Sami, Samiullah, Saqib, Sardar, Sarfraz, Sarmad, Sarwar,
  Shabbir, Shafiq, Shahbaz, Shahid, Shahrukh, Shahzad, Shahzaib, Shakeel, Shamas, Sharif, Sharjeel, Shaukat, Shehryar,
  Sher Afzal, Shoaib, Shuja, Sibtain, Sikandar, Siraj, Sohaib, Sohail, Subhan, Sufyan, Sulaiman, Sultan, Tabish,
  Taha, Tahir, Taimur, Tajammul, Talat, Tanveer, Tanzeel, Tariq, Tauqeer, Tauseef, Tayyab, Tufail, Ubaid, Umair,
  Umer, Uzair, Wahab, Waheed, Wajahat, Wajid, Wali, Waqar, Waqas, Waseem, Wasif, Yahya, Yaqoob, Yawar, Yousaf, Younis,
  Zafar, Zaheer, Zahid, Zaid, Zain, Zakir, Zaki, Zaman, Zeeshan, Zia, Ziaullah, Zohaib, Zulfiqar, Sunny, Vijay, Anil,
  Ramesh, Patrick, Joseph, Tenzin, Baloch, Sassoon, Spin Gul, Zmarak, Torak, Palwan, Mureed, Gwahram, Chakar, Sohrab
`);

/** Second parts of compound first names. */
export const NAME_PREFIXES = {
  M: listed('Muhammad, Syed, Mian, Hafiz, Malik, Sardar, Raja, Syed Muhammad'),
  F: listed('Syeda, Bibi, Umme, Hafiza'),
} as const;
export const NAME_SUFFIXES = {
  M: listed(
    'Ahmed, Ali, Khan, Hussain, Hassan, Abbas, Iqbal, Haider, Raza, Ullah, Shah, Akram, Saleem, Mehmood',
  ),
  F: listed('Fatima, Bibi, Noor, Zahra, Batool, Khan, Naz, Aslam, Ali, Begum, Khatoon, Iqbal, Gul, Malik'),
} as const;

export const LAST_NAMES = listed(`
  Khan, Malik, Ahmed, Hussain, Shah, Ali, Sheikh, Chaudhry, Butt, Qureshi, Awan, Bhatti, Rajput, Mughal, Baig, Abbasi,
  Siddiqui, Ansari, Hashmi, Akhtar, Iqbal, Javed, Mirza, Rana, Raja, Niazi, Khattak, Afridi, Yousafzai, Baloch, Lodhi,
  Hunzai, Zehri, Fernandes, Lohana, Changezi, Wassan, Gill, Rind, Marwat, Balti, Sabzwari, Dogar, Mengal,
  Makhdoom Gardezi, D’Souza, Soomro, Jatoi, Shinwari, Abbas, Abdali, Achakzai, Afghani, Afzal, Ahmad, Ahmadzai, Akbar,
  Akram, Alam, Alvi, Amin, Amjad, Anjum, Anwar, Arain, Arbab, Arif, Arshad, Asghar, Ashraf, Asif, Askari, Aslam,
  Aurakzai, Ayub, Azam, Azeem, Aziz, Babar, Badini, Bajwa, Bangash, Barki, Barlas, Barelvi, Basra, Bhabha, Bhutta,
  Bhutto, Bizenjo, Brohi, Bugti, Bukhari, Burki, Chandio, Chann, Chattha, Cheema, Chishti, Chughtai, Dahri, Dar,
  Dasti, Daudpota, Davi, Dawar, Deshmukh, Dhillon, Dogra, Domki, Dossani, Durrani, Faiz, Farooq, Farooqi, Faruqui,
  Gabol, Gaddi, Gakhar, Gandapur, Gardezi, Gazdar, Ghauri, Ghazi, Ghazali, Ghumman, Gichki, Gilani, Gondal, Goraya,
  Gujjar, Gul, Gurmani, Habib, Hafeez, Haider, Halepoto, Hameed, Hamid, Hanif, Haq, Haroon, Hasan, Hassan, Hayat,
  Hingoro, Hoti, Ibrahim, Iftikhar, Ilyas, Imam, Imran, Imtiaz, Inam, Irfan, Isani, Ismail, Jadoon, Jafri, Jahangir,
  Jalbani, Jamal, Jamali, Jamil, Jamot, Janjua, Jarral, Jatt, Jilani, Jogezai, Joiya, Junejo, Kakar, Kakakhel, Kalhoro,
  Kalwar, Kamal, Kamran, Kardar, Karim, Kasi, Kassi, Kayani, Kazi, Kazmi, Khakwani, Khalid, Khalil, Khar, Kharal,
  Kharani, Khetran, Khilji, Khokhar, Khoso, Khosa, Khawaja, Khuhro, Kiani, Kirmani, Korai, Kundi, Laghari, Lakhani,
  Langah, Langrial, Lashari, Latif, Leghari, Lund, Magsi, Mahar, Mahmood, Majeed, Makhdoom, Mangi, Mangrio, Mansoor,
  Manzoor, Maqsood, Marri, Masood, Mastoi, Mazari, Mehdi, Mehmood, Memon, Meo, Minhas, Mir, Mirani, Mohmand, Mughari,
  Mujahid, Munir, Murtaza, Musharraf, Mushtaq, Mustafa, Nadeem, Naeem, Nagori, Naqvi, Naseem, Naseer, Nasir, Nasrullah,
  Nawab, Nawaz, Nazir, Nizamani, Noon, Noor, Noorani, Noori, Nutkani, Orakzai, Paracha, Parihar, Parvez, Pasha, Pechuho,
  Phulpoto, Piracha, Pirzada, Popalzai, Qaimkhani, Qazi, Qizilbash, Raees, Rafiq, Rahim, Rahman, Raisani, Rajper, Ramay,
  Randhawa, Ranjha, Rao, Rashid, Rathore, Raza, Razzaq, Rehman, Riaz, Rizvi, Rizwan, Sabir, Saddozai, Sadiq, Saeed,
  Safdar, Sahi, Sajjad, Saleem, Salman, Samejo, Samoo, Sandhu, Sanjrani, Saqib, Sarfraz, Sargana, Satti, Sethi, Sethna,
  Shabbir, Shafi, Shahani, Shahid, Shahwani, Shaikh, Shamsi, Sharif, Shaukat, Sherazi, Sherpao, Shirani, Shoaib, Sial,
  Sidhu, Sindhu, Siyal, Sohail, Solangi, Soomar, Subhani, Sulehri, Sultan, Sumalani, Sumro, Swati, Syed, Tahir, Talpur,
  Tanoli, Tareen, Tariq, Tarar, Thebo, Tiwana, Toor, Turi, Tunio, Umrani, Unar, Usman, Usmani, Uzbek, Virk, Wadho,
  Waheed, Warraich, Wattoo, Wazir, Yaqoob, Yousaf, Yusuf, Zafar, Zaheer, Zahid, Zaidi, Zaman, Zardari, Zia, Zubair,
  Zuberi, Zulfiqar, Masih, Bhatti Masih, Pinto, Pereira, Lobo, D’Silva, Kumar, Lal, Das, Meghwar, Kolhi, Sodhi, Wangdu
`);

export const OCCUPATIONS = listed(`
  Civil engineer, School principal, Farmer, Shopkeeper, Physician, Army officer, Banker, Lecturer, Electrician,
  Government officer, Business, Retired, Nurse, Tailor, Advocate
`);

export const STREETS = [
  'Sector G-11/2, Islamabad',
  'Satellite Town, Rawalpindi',
  'Model Town, Lahore',
  'Gulshan-e-Iqbal, Karachi',
  'Hayatabad, Peshawar',
  'Jinnah Town, Quetta',
  'Peoples Colony, Faisalabad',
  'Cantt, Multan',
  'Aliabad, Hunza',
] as const;

interface FullName {
  first_name: string;
  last_name: string;
}

/** Names as screens and documents have to bear them: long ones, and ones in Urdu. */
export const RARE_NAMES: Readonly<Record<'M' | 'F', readonly [FullName, ...FullName[]]>> = {
  M: [
    { first_name: 'محمد علی', last_name: 'قریشی' },
    { first_name: 'Muhammad Bilal Ahmad Siddiqui', last_name: 'Raza Shah Bukhari Gardezi' },
    { first_name: 'عبدالرحمٰن', last_name: 'چوہدری' },
    { first_name: 'Sahibzada Muhammad Zain-ul-Abideen', last_name: 'Khan Yousafzai' },
    { first_name: 'Syed Ghulam Mustafa Kamal Hussain', last_name: 'Naqvi al-Bukhari' },
  ],
  F: [
    { first_name: 'Mahnoor Fatima Sajjad', last_name: 'Hussain Shah Jilani Qadri' },
    { first_name: 'فاطمہ زہرا', last_name: 'بخاری' },
    { first_name: 'Syeda Umm-e-Kulsoom Zainab Batool', last_name: 'Rizvi Mashhadi' },
    { first_name: 'نور الہدیٰ', last_name: 'ملک' },
  ],
};
