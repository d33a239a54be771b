export interface EnglishCenterTexts {
  englishName: string;
  englishDirector: string;
  englishAddress: string;
  englishDirections: string;
  englishIntroduction: string;
}

const ENGLISH_CENTERS: Record<string, EnglishCenterTexts> = {
  seoul: {
    englishName: "Seoul Centre (Hanbit University Hospital)",
    englishDirector: "Professor Moon Jae-yul (Paediatrics)",
    englishAddress: "2F Children’s Building, Hanbit University Hospital, 101 Hanbit-daero, Gaon-gu, Seoul",
    englishDirections:
      "Five minutes on foot from exit 3 of Hanbit University Hospital underground station. If you come by car, park in zone B on level B2 and take the lift of the children’s building.",
    englishIntroduction: `The Seoul centre was designated as the central site when the network was founded in 2021. It runs a paediatric immunodeficiency clinic together with an immune function laboratory, and performs phagocyte function assays and lymphocyte subset analysis for other regions.

The coordinating office and the biobank are in the same building, so questions on registration and the submission of samples can be discussed in person. The office is open on weekdays from 10:00 to 16:00. Please call ahead, and you will not have to wait.`,
  },
  pusan: {
    englishName: "Busan Centre (Haedam University Hospital)",
    englishDirector: "Professor Bae Do-hyun (Allergy)",
    englishAddress: "4F Main Building, Haedam University Hospital, 27 Haedam-uiryo-ro, Haeundae-gu, Busan",
    englishDirections:
      "A hospital shuttle leaves every ten minutes from exit 1 of Haedam University Hospital metro station. Please ask for the regional centre at the allergy reception on the fourth floor of the main building.",
    englishIntroduction: `The centre has long experience with antibody deficiency in adults. Its day unit gives intravenous and subcutaneous immunoglobulin within a single visit.

A transition clinic for patients moving from paediatric to adult care is held on the second Tuesday of each month.`,
  },
  daegu: {
    englishName: "Daegu Centre (Solmaru University Hospital)",
    englishDirector: "Professor Seok Ji-wan (Paediatrics)",
    englishAddress: "3F Outpatient Centre, Solmaru University Hospital, 55 Solmaru-ro, Jung-gu, Daegu",
    englishDirections:
      "An underground passage leads from exit 4 of Solmaru Hospital metro station to the outpatient centre. Parking is reduced for up to four hours at the outpatient cashier.",
    englishIntroduction:
      "The Daegu centre offers a rapid referral pathway that sees infants with a positive newborn screening result within 48 hours. With the Gyeongbuk centre it holds two education days a year for parents and caregivers.",
  },
  kwangju: {
    englishName: "Gwangju Centre (Onsaemi University Hospital)",
    englishDirector: "Professor Im Seo-ho (Infectious Diseases)",
    englishAddress: "1F Building 2, Onsaemi University Hospital, 12 Onsaemi-gil, Dong-gu, Gwangju",
    englishDirections:
      "Twenty minutes by express bus from the intercity bus terminal. Enter the infectious diseases clinic on the ground floor of building 2; the consultation room is on your right.",
    englishIntroduction:
      "The centre specialises in patients with recurrent and opportunistic infections. Infectious diseases and laboratory medicine review referred cases together every week and share them with the Jeonnam and Jeonbuk centres.",
  },
  daejeon: {
    englishName: "Daejeon Centre (Garam University Hospital)",
    englishDirector: "Professor Pyo Eun-jae (Paediatrics)",
    englishAddress: "2F Rare Disease Centre, Garam University Hospital, 88 Garamseo-ro, Seo-gu, Daejeon",
    englishDirections:
      "Seven minutes on foot from exit 2 of Garam University Hospital metro station. The rare disease centre is a separate building behind the main one, with 20 parking spaces of its own.",
    englishIntroduction: `Genetic counselling before and after testing is available within the rare disease centre.

As a hub for data management the centre also supports the four centres of the Chungcheong area, with training for registry staff and site visits twice a year.`,
  },
  ulsan: {
    englishName: "Ulsan Centre (Saebeol University Hospital)",
    englishDirector: "Professor Ma Jeong-yun (Respiratory Medicine and Allergy)",
    englishAddress: "5F New Building, Saebeol University Hospital, 310 Saebeol-ro, Nam-gu, Ulsan",
    englishDirections:
      "Take the airport limousine bus from the high-speed railway station to the Saebeol University Hospital stop. The centre faces the pulmonary function laboratory on the fifth floor of the new building.",
    englishIntroduction:
      "The centre mainly follows patients with chronic lung complications such as bronchiectasis. It has drawn up a follow-up schedule that combines pulmonary rehabilitation with immunoglobulin replacement.",
  },
  sejong: {
    englishName: "Sejong Centre (Narae University Hospital)",
    englishDirector: "Professor Chae Yun-seul (Paediatrics)",
    englishAddress: "3F Narae University Hospital, 9 Narae 3-ro, Sejong",
    englishDirections:
      "The Narae Hospital stop of the rapid transit bus is right in front of the main entrance. The centre’s office is at the far end of the paediatric clinic on the third floor.",
    englishIntroduction:
      "Designated in March 2025, this is the youngest of the centres. As many families with small children live in the area, it concentrates on vaccination advice and first assessment. Patients who need confirmatory tests are referred directly to the Daejeon centre.",
  },
  kyunggi: {
    englishName: "Gyeonggi Centre (Dasom University Hospital)",
    englishDirector: "Professor Tak Hyun-seo (Haematology and Oncology)",
    englishAddress:
      "6F Cancer and Transplant Centre, Dasom University Hospital, 200 Dasomjungang-ro, Suwon, Gyeonggi Province",
    englishDirections:
      "A shuttle bus runs from exit 5 of Dasom University Hospital station on weekdays from 07:30 to 18:00, every 15 minutes. Take the lift to the sixth floor of the cancer and transplant centre and follow the corridor on the left to its end.",
    englishIntroduction: `The centre is responsible for the long-term follow-up of patients with inborn errors of immunity after haematopoietic stem cell transplantation. One team takes care of assessment before transplantation, immune reconstitution and revaccination.

As the region with the second highest number of registrations, it has two full-time research coordinators and supports enrolment at nine affiliated hospitals.`,
  },
  kangwon: {
    englishName: "Gangwon Centre (Cheongsol University Hospital)",
    englishDirector: "Professor Ham Do-yun (Allergy)",
    englishAddress:
      "2F Outpatient Building, Cheongsol University Hospital, 45 Cheongsol-gil, Chuncheon, Gangwon Province",
    englishDirections:
      "Take a city bus from central Chuncheon to the hospital, its terminus. In winter the approach road may be icy, and public transport is recommended.",
    englishIntroduction:
      "Because distances in the region are long, the centre was early to teach subcutaneous immunoglobulin at home. The first session takes two hours at the centre; a specialist nurse then calls regularly for three months.",
  },
  chungbuk: {
    englishName: "Chungbuk Centre (Mirinae University Hospital)",
    englishDirector: "Professor Ok Ha-ram (Laboratory Medicine)",
    englishAddress:
      "1F Diagnostic Centre, Mirinae University Hospital, 73 Mirinae-ro, Cheongju, North Chungcheong Province",
    englishDirections:
      "Three minutes on foot from the Mirinae University Hospital bus stop in Cheongju. The diagnostic centre is next to the emergency department.",
    englishIntroduction:
      "The centre is in charge of quality assurance and harmonises flow cytometry and sequencing across the network. It conducts a yearly comparison among the laboratories of the centres and publishes the report.",
  },
  chungnam: {
    englishName: "Chungnam Centre (Dodam University Hospital)",
    englishDirector: "Professor Bang Si-on (Paediatrics)",
    englishAddress: "1F Annexe, Dodam University Hospital, 64 Dodam 1-ro, Cheonan, South Chungcheong Province",
    englishDirections:
      "A hospital shuttle leaves every 30 minutes from the east square of Cheonan station. The entrance of the annexe is on the side of the car park.",
    englishIntroduction:
      "The centre works on early detection with local paediatric practices. They use a checklist for recurrent infections to identify suspected cases, and the centre reports back within one week of referral.",
  },
  jeonbuk: {
    englishName: "Jeonbuk Centre (Boram University Hospital)",
    englishDirector: "Professor Byun Do-heon (Paediatrics)",
    englishAddress: "2F Main Building, Boram University Hospital, 150 Boram-ro, Jeonju, North Jeolla Province",
    englishDirections:
      "Fifteen minutes by taxi from Jeonju station. Register at the paediatric clinic on the second floor of the main building and come to consulting room 7.",
    englishIntroduction:
      "The centre cares for patients with phagocyte defects such as chronic granulomatous disease and counsels their families. Its autumn health class for patients and caregivers is now in its fourth year.",
  },
  jeonnam: {
    englishName: "Jeonnam Centre (Yeoul University Hospital)",
    englishDirector: "Professor Yeom Ju-ha (Infectious Diseases)",
    englishAddress: "3F Yeoul University Hospital, 31 Yeoulgangbyeon-ro, Suncheon, South Jeolla Province",
    englishDirections:
      "Please take the hospital shuttle from Suncheon station. If you come from one of the islands, call ahead, and consultation and tests will be arranged for the same day.",
    englishIntroduction:
      "For the convenience of patients from islands and rural areas, tests, consultation and infusion are completed in one visit every Thursday. The opinion of the Gwangju centre can be obtained on the same day by teleconsultation.",
  },
  gyungbuk: {
    englishName: "Gyeongbuk Centre (Seulgi University Hospital)",
    englishDirector: "Professor Do Se-ha (Paediatrics)",
    englishAddress: "1F Children’s Centre, Seulgi University Hospital, 18 Seulgi-ro, Pohang, North Gyeongsang Province",
    englishDirections:
      "Twenty-five minutes by express bus from Pohang station to the Seulgi University Hospital stop. The children’s centre has its own entrance near the east gate.",
    englishIntroduction:
      "Together with public health centres the centre visits and counsels families with a history of immunodeficiency. For patients in the north of the province it holds an outreach clinic in Andong on the last Wednesday of each month.",
  },
  gyungnam: {
    englishName: "Gyeongnam Centre (Haeoreum University Hospital)",
    englishDirector: "Professor Jegal Yun (Rheumatology)",
    englishAddress:
      "3F New Building, Haeoreum University Hospital, 505 Haeoreum-daero, Changwon, South Gyeongsang Province",
    englishDirections:
      "Thirty minutes by city bus from Changwon Jungang station. Please speak to the staff in the rheumatology waiting room on the third floor of the new building.",
    englishIntroduction:
      "The centre focuses on disorders of immune dysregulation that present with autoimmunity. Rheumatology, gastroenterology and dermatology hold a joint clinic once a month, and the centre leads the network’s working group on immune dysregulation.",
  },
  jeju: {
    englishName: "Jeju Centre (Hyeyum University Hospital)",
    englishDirector: "Professor Bu Seo-an (Paediatrics)",
    englishAddress: "2F Hyeyum University Hospital, 77 Hyeyum-ro, Jeju City, Jeju Province",
    englishDirections:
      "Forty minutes by express bus from Jeju airport. If you drive a hired car, set the navigation to car park 2 of Hyeyum University Hospital.",
    englishIntroduction: `The only institution on Jeju that registers patients with inborn errors of immunity. Samples for specialised tests are sent to the Seoul centre by air, so that islanders can be diagnosed without leaving for the mainland.

Patients from other regions who need their regular infusion while on Jeju are welcome to contact us in advance.`,
  },
};

export function englishCenter(regionCode: string) {
  const texts = ENGLISH_CENTERS[regionCode];
  if (!texts) throw new Error(`The demo's centre has no English texts: ${regionCode}`);
  return { ...texts, englishImageAlt: `Drawing of the building of the ${texts.englishName} and its forecourt` };
}
